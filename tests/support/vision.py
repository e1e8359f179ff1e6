"""How people with dichromatic vision see a colour, and how much two colours differ for the eye.

Matrices: Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision
Deficiency (IEEE TVCG 15, 2009), severity 1.0, for linear RGB. Difference: CIEDE2000, as in Sharma,
Wu, Dalal: The CIEDE2000 Color-Difference Formula (2005).
"""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.contrast import Rgb

Lab = tuple[float, float, float]
SEEN_BY = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ = (  # of sRGB, D65; divided by the white point
    (0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883),
)


def seen(color: Rgb, vision: str) -> Lab:
    """Return a colour as somebody with that vision sees it, in CIELAB."""
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in _parts(color)]
    linear = [min(1.0, max(0.0, x)) for x in _times(SEEN_BY[vision], linear)]
    x, y, z = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
        for t in _times(TO_XYZ, linear)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _parts(color: Rgb) -> list[float]:
    return [one / 255 for one in color]


def _times(matrix: tuple[tuple[float, ...], ...], vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def difference(one: Lab, other: Lab) -> float:
    """Return ΔE2000 of two colours; 1 is just visible, 12 is seen at a glance."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_c = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - sqrt(mean_c**7 / (mean_c**7 + 25**7)))
    c1, c2 = hypot(stretch * a1, b1), hypot(stretch * a2, b2)
    h1, h2 = (
        degrees(atan2(b, stretch * a)) % 360 if hypot(a, b) else 0.0
        for a, b in ((a1, b1), (a2, b2))
    )
    apart = h2 - h1
    if c1 * c2 == 0:
        apart, middle = 0.0, h1 + h2
    elif abs(apart) <= 180:
        middle = (h1 + h2) / 2
    else:
        apart -= 360 if apart > 0 else -360
        middle = (h1 + h2 + (360 if h1 + h2 < 360 else -360)) / 2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hues = 2 * sqrt(c1 * c2) * sin(radians(apart / 2))
    weight = (
        1
        - 0.17 * cos(radians(middle - 30))
        + 0.24 * cos(radians(2 * middle))
        + 0.32 * cos(radians(3 * middle + 6))
        - 0.20 * cos(radians(4 * middle - 63))
    )
    by_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = hues / (1 + 0.015 * chroma * weight)
    turned = -2 * sqrt(chroma**7 / (chroma**7 + 25**7))
    turned *= sin(radians(60 * exp(-(((middle - 275) / 25) ** 2))))
    return sqrt(by_light**2 + by_chroma**2 + by_hue**2 + turned * by_chroma * by_hue)
