"""Answer the lines of the standard input as ``puppet-repl batch`` does."""

import sys

from puppet_repl.frontends.cli.batch import answer_lines

for answer in answer_lines(iter(sys.stdin.readline, "")):
    print(answer, flush=True)
