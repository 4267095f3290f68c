"""`python -m caltrop` is `caltrop`."""

import sys

from caltrop.cli import main

if __name__ == "__main__":
    sys.exit(main())
