"""The words of codes and of comparisons aloud: 256, so that one word is one byte.

Short, known in English or from Japan, easy to distinguish by ear; no two share their first three
letters or differ in fewer than three, so a typing slip never yields another word. Both sides of a
table need the same list in the same order: raise PROTOCOL (net/wire/messages.py) with any change.
"""

from __future__ import annotations

from typing import Final

WORDS: Final[tuple[str, ...]] = tuple(
    """
    abacus acorn acrobat almond amber anchor apricot autumn azalea ballad bamboo basket beacon
    beetle bento bokken bonsai branch bridge bronze bubble cactus camel canyon carpet castle
    cedar cherry chisel cicada cinder citrus clarinet clover cobalt coffee cotton crane cricket
    crystal dagger daikon dango desert dojo dolphin domino donkey dragon drizzle drum dynamo
    eagle ebony echo eclipse edamame elder emerald engine evening fabric falcon feather fennel
    festival finch firefly flute forest fossil galaxy garden gazelle geta ginkgo glacier goblet
    gondola gorge gravel guitar haiku hakama harbor hearth hedgehog hibiscus hill hinoki hornet
    husky hyacinth icicle igloo ikebana indigo inkwell iris island ivory jackal jade jasmine
    jewel jigsaw journey jungle kabuki kanji karate katana kayak kestrel kimono kingdom kitten
    koala kumquat ladder lagoon lantern lemon leopard library lilac linen lizard lobster lotus
    magnet mandolin marble meadow meteor mikan mirror miso monsoon mosaic mountain mulberry
    mushroom narwhal nautilus nectar nickel ninja noodle nutmeg oasis obelisk ocean octopus
    olive onigiri onsen orbit orchid origami osprey otter pagoda pantry paper parasol peach
    pelican penguin pewter pickle pigeon planet pond poplar pumpkin puzzle pyramid quiver quokka
    rabbit radish rainbow reef rhubarb ribbon robot ronin rosemary saddle saffron sakura sandal
    sapphire sashimi satchel scarf sensei sesame shamisen shogun shrine silver sketch skylark
    snow soroban spruce squid stork sugar sumo sunrise sushi swallow tabi tatami teapot temple
    thistle thunder tiger tofu topaz torii trellis trumpet tsunami tulip turtle twilight typhoon
    umbrella unagi unicorn valley vanilla velvet village vineyard violet vulture waffle walnut
    wasabi wisteria wombat yakitori yodel yogurt yukata yuzu zebra zephyr zigzag zodiac
    """.split()  # noqa: SIM905 - as a list it would fill five screens
)
