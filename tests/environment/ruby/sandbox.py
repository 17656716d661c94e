"""What tests of the sandbox share: a module whose function runs any Ruby code."""

from __future__ import annotations

from pathlib import Path

from puppet_repl.session import Options, Outcome, Session

_FUNCTION = """\
Puppet::Functions.create_function(:'probe::run') do
  dispatch(:run) { param 'String', :code }
  def run(code) = eval(code, TOPLEVEL_BINDING)
end
"""


def make_module(directory: Path) -> Path:
    """Write the module ``probe`` into a module path; return the path."""
    functions = directory / "probe" / "lib" / "puppet" / "functions" / "probe"
    functions.mkdir(parents=True)
    (functions / "run.rb").write_text(_FUNCTION)
    return directory


class Probe:
    """A session that runs Ruby code in the sandbox."""

    def __init__(self, modulepath: Path) -> None:
        self.session = Session(Options(modulepath=(str(modulepath),), ruby="sandbox"), facts={})

    def outcome(self, code: str) -> Outcome:
        """Return the outcome of a call that runs the code."""
        quoted = code.replace("\\", "\\\\").replace("'", "\\'")
        return self.session.execute(f"probe::run('{quoted}')")

    def value(self, code: str) -> object:
        """Return the value of the code."""
        outcome = self.outcome(code)
        assert outcome.error is None, outcome.error
        return outcome.value

    def error(self, code: str) -> str:
        """Return the message of the error that the code ends in."""
        error = self.outcome(code).error
        assert error is not None
        return error.message
