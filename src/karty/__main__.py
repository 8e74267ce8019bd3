"""`python -m karty` is the command `karty`."""

import sys

if __name__ == "__main__":
    try:
        from karty.training.cli import main
    except KeyboardInterrupt:  # while modules load
        sys.exit(130)
    sys.exit(main())
