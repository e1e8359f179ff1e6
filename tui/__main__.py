"""`python -m tui` is `kumite`, also from a checkout that is not installed."""

from tui.cli import main

if __name__ == "__main__":
    main()
