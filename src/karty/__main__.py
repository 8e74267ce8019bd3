"""`python -m karty` is the command `karty`."""

import sys

from karty.training.cli import main

if __name__ == "__main__":
    sys.exit(main())
