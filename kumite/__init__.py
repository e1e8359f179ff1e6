"""Five Japanese duels in one terminal program.

The rooms (core, store, net, tui, serve, cli, themes) stand at the top of the repository and are
parts of this package: in a wheel as folders, in a checkout as links. Begin reading in
ARCHITECTURE.md.
"""

from pathlib import Path

_HERE = Path(__file__).resolve().parent
if not (_HERE / "core").is_dir():  # a checkout where links are not made (Windows, an sdist)
    __path__.append(str(_HERE.parent))
