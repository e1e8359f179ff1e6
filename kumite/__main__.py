"""`python -m kumite` is `kumite`, also from a checkout that is not installed."""

from kumite.cli.main import main

if __name__ == "__main__":
    main(prog_name="kumite")
