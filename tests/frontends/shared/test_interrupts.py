"""Interrupts, each tried in a process of its own: they are for the whole process."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEFORE = """
import os, signal, sys, threading, time
from puppet_repl.frontends.shared import interrupts as module
from puppet_repl.frontends.shared.interrupts import Interrupts

interrupts = Interrupts()
interrupts.install()

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)

def forever():
    while True:
        time.sleep(0.01)

def result(work):
    try:
        return interrupts.run(work)
    except KeyboardInterrupt:
        return "interrupted"
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("interrupts.begin(); interrupt(); print(result(lambda: 'done'))", "interrupted"),
        ("interrupt(); interrupts.begin(); print(result(lambda: 'done'))", "done"),
        ("interrupts.begin(); print(result(lambda: interrupt() or forever()))", "interrupted"),
        ("print(result(lambda: 'done')); interrupt(); time.sleep(0.01); print('on')", "done\non"),
        # A work that is interrupted leaves nothing behind that could interrupt the next one.
        (
            "result(lambda: interrupt() or forever()); interrupts.begin(); "
            "print(result(lambda: 'done'))",
            "done",
        ),
        # A second one at once is too early: it could hit the roll-back. However slow this is.
        (
            "module.REPEATED_AFTER = 1000.0\n"
            "def work():\n"
            "    try:\n"
            "        interrupt(); forever()\n"
            "    finally:\n"
            "        interrupt(); time.sleep(0.1); print('rolled back')\n"
            "print(result(work))",
            "rolled back\ninterrupted",
        ),
    ],
)
def test_one_interrupt_is_enough_and_meant_for_one_cell(code: str, expected: str) -> None:
    assert printed_by(code) == expected


def test_one_that_python_swallows_is_repeated() -> None:
    code = """
module.REPEATED_AFTER = 0.05

class Finalized:
    def __del__(self):
        interrupt()
        time.sleep(0.05)

def work():
    Finalized()
    forever()

def insist():
    while True:
        time.sleep(0.05)
        interrupts.insist()

threading.Thread(target=insist, daemon=True).start()
print(result(work))
"""
    assert printed_by(code) == "interrupted"


def printed_by(code: str) -> str:
    process = subprocess.run(
        [sys.executable, "-c", BEFORE + code], capture_output=True, text=True, timeout=60
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()
