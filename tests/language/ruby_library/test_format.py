"""sprintf, against what Ruby 3.1 answers."""

from __future__ import annotations

from typing import Any

import pytest

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.ruby_library.format import ruby_format
from puppet_repl.language.values.hash import PuppetHash

A = PuppetHash([("a", 1)])
AB = PuppetHash([("a", 1), ("b", 2)])
INFINITY = float("inf")

CASES: list[tuple[tuple[Any, ...], str]] = [
    (("%#x", 0), "0"),
    (("%#o", 0), "0"),
    (("%d", -3.99), "-3"),
    (("%x", 255.9), "ff"),
    (("%05s", "a"), "    a"),
    (("%+s", "a"), "a"),
    (("%f", INFINITY), "Inf"),
    (("%05f", -INFINITY), " -Inf"),
    (("%+f", INFINITY), "+Inf"),
    (("%.3d", -5), "-005"),
    (("%+05d", 3), "+0003"),
    (("% x", 255), " ff"),
    (("%-10{a}|", A), "1         |"),
    (("%<a>10s|", A), "         1|"),
    (("%a", 3.14), "0x1.91eb851eb851fp+1"),
    (("%A", -0.5), "-0X1P-1"),
    (("%a", 0.0), "0x0p+0"),
    (("%.2a", 3.14), "0x1.92p+1"),
    (("%20a|", 1.5), "            0x1.8p+0|"),
    (("%020a|", 1.5), "0x0000000000001.8p+0|"),
    (("%f", 10**25), "10000000000000000000000000.000000"),
    (("%.3f", -7), "-7.000"),
    (("%010.2f", -3), "-000003.00"),
    (("%+f", 3), "+3.000000"),
    (("%e", 3), "3.000000e+00"),
    (("%f", "1e3"), "1000.000000"),
    (("%f", "0x1A"), "26.000000"),
    (("%f", "1_000.5"), "1000.500000"),
    (("%f", " 1.5 "), "1.500000"),
    (("%f", ".5"), "0.500000"),
    (("%d", " 42 "), "42"),
    (("%d", "1_000"), "1000"),
    (("%d", "0b11"), "3"),
    (("%d", "0o17"), "15"),
    (("%d", "-0x1f"), "-31"),
    (("%.0f", 2.5), "2"),
    (("%#.0f", 2.0), "2."),
    (("%g", 1e15), "1e+15"),
    (("%g", 123456789.0), "1.23457e+08"),
    (("%.0g", 1.5), "2"),
    (("%.*f", 2, 3.14159), "3.14"),
    (("% s", 1), "1"),
    (("%10.3s|", "abcdef"), "       abc|"),
    (("%-10p|", "a"), '"a"       |'),
    (("%.3p", "abcdef"), '"ab'),
    (("%u", -5), "-5"),
    (("%08.3d", 5), "     005"),
    (("%#b", -5), "0b..1011"),
    (("%b", 0), "0"),
    (("%+b", -5), "-101"),
    (("%.0d", 0), ""),
    (("%.0x", 0), ""),
    (("%08o", -8), "..777770"),
    (("%.6x", -255), "..ff01"),
    (("%8b", -5), "  ..1011"),
    (("%#x", -255), "0x..f01"),
    (("%08x", -255), "..ffff01"),
    (("%-8x|", -255), "..f01   |"),
    (("%#o", -8), "..70"),
    (("%08b", -5), "..111011"),
    (("%.10b", -5), "..11111011"),
    (("%s", 1, 2), "1"),
    (("%\n",), "%\n"),
]


@pytest.mark.parametrize(("call", "expected"), CASES)
def test_result(call: tuple[Any, ...], expected: str) -> None:
    assert ruby_format(call[0], call[1:]) == expected


ERRORS: list[tuple[tuple[Any, ...], str]] = [
    (("%d", None), "can't convert nil into Integer"),
    (("%d", True), "can't convert true into Integer"),
    (("%d", (1,)), "can't convert Array into Integer"),
    (("%f", None), "can't convert nil into Float"),
    (("%f", (1,)), "can't convert Array into Float"),
    (("%x", "zz"), 'invalid value for Integer(): "zz"'),
    (("%d", ""), 'invalid value for Integer(): ""'),
    (("%d", "1__0"), 'invalid value for Integer(): "1__0"'),
    (("%f", "1."), 'invalid value for Float(): "1."'),
    (("%d", INFINITY), "Infinity"),
    (("%c", ""), "%c requires a character"),
    (("%1$s %s", 1, 2), "unnumbered(1) mixed with numbered"),
    (("%s %1$s", 1, 2), "numbered(1) after unnumbered(1)"),
    (("%<a>s %s", A), "unnumbered(1) mixed with named"),
    (("%s %<a>s", A), "named<a> after unnumbered(1)"),
    (("%1$1$s", 1), "value given twice - 1$"),
    (("%**d", 1, 2), "width given twice"),
    (("%5 5d", 1), "flag after width"),
    (("%.2.3f", 1.0), "precision given twice"),
    (("%$d", 1), "malformed format string - %$"),
    (("%0$s", 1), "malformed format string - %$"),
    (("%3$s", 1), "too few arguments"),
    (("%{a}%{b}", A), "key{b} not found"),
    (("%<a", A), "malformed name - unmatched parenthesis"),
    (("%{a", A), "malformed name - unmatched parenthesis"),
    (("%<a><b>d", AB), "named<b> after <a>"),
    (("%s",), "too few arguments"),
    (("%%%",), "incomplete format specifier; use %% (double %) instead"),
    (("%5%",), "invalid format character - %"),
    (("%-%",), "invalid format character - %"),
    (("%.-2f", 1), "flag after precision"),
    (("%*d", "5", 1), "no implicit conversion of String into Integer"),
    (("%z", 1), "malformed format string - %z"),
    (("%99999999999d", 1), "width too big"),
    (("%1$s %2$s", 1), "too few arguments"),
    (("% ",), "invalid format character - %"),
    (("%5",), "malformed format string - %*[0-9]"),
    (("%ld", 1), "malformed format string - %l"),
    (("%<n>d", 3), "one hash required"),
]


@pytest.mark.parametrize(("call", "message"), ERRORS)
def test_error(call: tuple[Any, ...], message: str) -> None:
    with pytest.raises(RuntimeFailure) as caught:
        ruby_format(call[0], call[1:])
    assert caught.value.message == message
