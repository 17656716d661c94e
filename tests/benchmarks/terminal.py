"""How fast the terminal is: a key in a long entry, colours after a key."""

from __future__ import annotations

import statistics
import threading
import time

from tests.benchmarks.rows import Row, Rows

GROUP = "keys"
LINE = "  file { '/tmp/x%d': ensure => file, content => \"a ${x} b\", mode => '0644' }"


def key_to_screen(lines: int) -> tuple[float, float]:
    """Median seconds, and CPU seconds, from a key to the first change of the screen.

    The keys are typed in the middle of an entry of that many lines.
    """
    from prompt_toolkit.document import Document

    from tests.frontends.terminal.prompt import open_prompt

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

    from puppet_repl.frontends.terminal.lexer import InputLexer

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


def terminal() -> Rows:
    """Yield the keys of short and long entries, as seconds and as CPU seconds."""
    for lines, limit in ((10, None), (1000, 0.016), (5000, None)):
        wall, cpu = key_to_screen(lines)
        yield Row(GROUP, f"key to screen, {lines} lines", wall, limit=limit)
        yield Row(GROUP, f"key to screen, {lines} lines, CPU", cpu)
    yield Row(GROUP, "colours after a key, 5000 lines", colours_after_a_key(5000), limit=0.005)
