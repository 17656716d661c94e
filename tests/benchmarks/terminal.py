"""How fast the terminal is: the first prompt, a key in a long entry, colours after a key."""

from __future__ import annotations

import os
import pty
import select
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

LINE = "  file { '/tmp/x%d': ensure => file, content => \"a ${x} b\", mode => '0644' }"


def first_prompt(times: int = 10) -> float:
    """Median seconds from the start of the process until the prompt is drawn."""
    program = str(Path(sys.executable).with_name("puppet-repl"))
    with tempfile.TemporaryDirectory() as home:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"}
        environment |= {"XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
        spent = [_seconds_to_prompt(program, environment) for _ in range(times + 1)]
    return statistics.median(spent[1:])


def _seconds_to_prompt(program: str, environment: dict[str, str]) -> float:
    ours, its = pty.openpty()
    start = time.perf_counter()
    process = subprocess.Popen(
        [program], stdin=its, stdout=its, stderr=its, env=environment, start_new_session=True
    )
    os.close(its)
    written = b""
    while b"puppet [1]>" not in written:
        if not select.select([ours], [], [], 30)[0]:
            raise TimeoutError(written)
        written += os.read(ours, 65536)
    spent = time.perf_counter() - start
    process.kill()
    process.wait()
    os.close(ours)
    return spent


def key_to_screen(lines: int) -> tuple[float, float]:
    """Median seconds, and CPU seconds, from a key to the first change of the screen.

    The keys are typed in the middle of an entry of that many lines.
    """
    from prompt_toolkit.document import Document

    from tests.terminal.prompt import open_prompt

    text = "\n".join([LINE % number for number in range(lines)])
    spent: list[float] = []
    cpu: list[float] = []
    with open_prompt(check_syntax=True, complete_while_typing=True) as prompt:
        prompt.terminal.history.add(text)

        def feed() -> None:
            time.sleep(0.5)
            prompt.terminal.buffer.set_document(Document(text, len(text) // 2))
            prompt.terminal.application.invalidate()
            time.sleep(1.0)
            for key in "notice($abc)" * 2:
                before = len(prompt.written.getvalue())
                start, busy = time.perf_counter(), time.process_time()
                prompt.pipe.send_text(key)
                while len(prompt.written.getvalue()) == before:
                    time.sleep(0.0005)
                spent.append(time.perf_counter() - start)
                cpu.append(time.process_time() - busy)
                time.sleep(0.1)
            prompt.pipe.send_text("\x03")

        feeder = threading.Thread(target=feed)
        feeder.start()
        try:
            prompt.terminal.read()
        except KeyboardInterrupt:
            feeder.join()
    return statistics.median(spent), statistics.median(cpu)


def colours_after_a_key(lines: int) -> float:
    """Seconds to colour one screen again after a key at the end of an entry."""
    from prompt_toolkit.document import Document

    from puppet_repl.terminal.lexer import InputLexer

    lexer = InputLexer()
    text = "\n".join([LINE % number for number in range(lines)])
    spent = []
    for count in range(20):
        document = Document(text + "a" * count)
        start = time.perf_counter()
        line_at = lexer.lex_document(document)
        for number in range(lines - 50, lines):
            line_at(number)
        spent.append(time.perf_counter() - start)
    return statistics.median(spent)


def terminal() -> None:
    """Print all of it."""
    print(f"first prompt                  {first_prompt() * 1000:7.1f} ms   (at most 200)")
    for lines in (10, 1000, 5000):
        wall, cpu = key_to_screen(lines)
        limit = "   (at most 16)" if lines == 1000 else ""
        figures = f"{wall * 1000:7.1f} ms, {cpu * 1000:.1f} ms of CPU{limit}"
        print(f"key to screen, {lines:5} lines    {figures}")
    print(f"colours after a key, 5000     {colours_after_a_key(5000) * 1000:7.2f} ms   (at most 5)")
