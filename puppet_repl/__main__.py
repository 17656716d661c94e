"""``python -m puppet_repl``."""

import sys

from puppet_repl.frontends.cli import main_of_process

if __name__ == "__main__":
    sys.exit(main_of_process())
