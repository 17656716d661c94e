"""``python -m puppet_repl``."""

import sys

from puppet_repl.cli import main

if __name__ == "__main__":
    sys.exit(main())
