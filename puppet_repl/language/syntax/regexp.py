"""Whether Ruby takes a regular expression: a literal that it refuses is an error of the lexer."""

from __future__ import annotations

from puppet_repl.language.syntax import issues
from puppet_repl.language.syntax.regexp_classes import Options
from puppet_repl.language.syntax.regexp_escapes import RegexpError, UnsupportedRegexpError
from puppet_repl.language.syntax.regexp_parser import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.source import Source


def check_regexp(pattern: str, source: Source) -> None:
    """Refuse a pattern that Ruby cannot compile.

    An expression that Ruby takes and Python cannot run is an error only when it is used.
    """
    parser = Parser(pattern, Options(False, False, False, "d"))
    try:
        parser.parse()
    except UnsupportedRegexpError:
        return
    except RegexpError as error:
        raise issues.invalid_regexp(error.message, source) from None
    except RecursionError:
        raise issues.invalid_regexp(
            parser.fail("too deep nest level over").message, source
        ) from None
