"""Puzzles that were shipped once: what tests say of them holds, whichever are shipped now."""

from __future__ import annotations

from typing import Final

from kumite.tui.puzzles.model import parsed

SENT_TO_LEAP: Final = parsed(  # Kitsu!: a6~e6, then e6xg7 wins
    "turn 2 kumite:1:Q9SeUpVQu27DMAzc_RVauhRIIT9iJ0OGLvmBfgFty7aaWhJMCmmXfntJw3LasQYk8o53J8Iz"
    "UDepc1lXLZwHKE9V13RNNsJs1M0SRpVnaIBQFZkPZL1T0L9DZxypKjEfdrakcq0T4YNx1o2saL_UcxY82o2Xgk-F"
    "TiGXisHqv7Cf-83KvH6luDimjnxkBy6iCBOg4dpbDLI9C8UkoZHiLM3dOjKL2MLCYaxY3W3NV0TTcznIW_e11Tz_"
    "lY_BLlYAinyQawInQpTxIBfBbX0RS2GKR0D-34AiBZy4edk-hs0OUaCEXN_26fGvuNrhILB8TAeGxQqvSSwrbkig"
    "j9T5WX7oIUMyQWkF9bepEzD159j8AA"
)
THERE_AND_BACK: Final = parsed(  # Kumo: turned left and right, or right and left, holds
    "hold 3 kumite:1:0uPp3E2OO67DIBBFe1YxjZtXAY4tpXCRpWDACUn4yINlZfePIXZEA3Mu96DxKusH6GWxUvWL"
    "FGIcdH9ld-UtvDYfQTC0KiNIFlN2McD8jvoFeVvDmbyddxkk52z-wB9LEV3Nye8kr_4ky1TVidQC1ZqK1fHbEV2u"
    "R72jWPINrSlXXxqYbDjj06iPIX4PfpujWg0eHVGCtDqMARsLcwy2zHak_kC9ulMhTQvy-6pmggtB3b_A2PaMaHqm"
    "J8iPNe5EQ2MZsvhz86mApf_E8WKHBpYfMMw2AQet99-4_wM"
)
PUSHED_OUT: Final = parsed(  # Kumo: e8-d8, f8-e8, then e8 and d8 push the stone out
    "turn 9 kumite:1:lXbXJVWRzW7DIBCE7zwFF19aRVpTJ8GRfOij2GYduwk_MlhR3j67yFTJBfhmZ0YIbJ_GWYLW"
    "9ak1Cs4wNWC0uPYW5W2zXtYiYp-iVMKHtHgnh7sfbzJtqyvKfbFLkgpADE_5JYKPS9Y5XynI-U7RKUc7jhLkVEep"
    "Cn53qfnZ7RXLCraIhjZFjhjQFbkk8vCJkVbnSRt8v5r4ZgrrEr0rSs01yTukM7YE45HVv80GhjPb0rz6B1PLo0Km"
    "-aAT03XtBwLkK8Pegcf3DuTGOj8CgebRDtMHtMUmYsIgQaI-0BfsMOkD_kPY4nxB_W30Cw"
)
