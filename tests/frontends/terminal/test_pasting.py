"""Pasted text: what surrounds code on pages, in mails and in transcripts is removed."""

from __future__ import annotations

import pytest

from puppet_repl.frontends.terminal.pasting import clean_paste

CODE = "class shop {\n  notify { 'a': }\n}"


@pytest.mark.parametrize(
    ("pasted", "clean"),
    [
        ("puppet [1]> $x = 1\n1\npuppet [2]> $x + 1\n2\n", "$x = 1\n$x + 1"),
        (
            "puppet [1]> if true {\n        ...   1\n        ... }\n1  Integer\n",
            "if true {\n  1\n}",
        ),
        ("1:>> $x = [1]\n => [1]\n2:>> $x", "$x = [1]\n$x"),
        ("In [3]: 1 + 1", "1 + 1"),
        ("$x = 'puppet [1]> 2'", "$x = 'puppet [1]> 2'"),
        ("if true {\r\n\t1\r\n}", "if true {\n\t1\n}"),
        ("```puppet\nnotice(1)\n```\n", "notice(1)"),
        ("```\nnotice(1)", "notice(1)"),
        ("~~~ puppet\n$a = 1\n~~~\nand then\n~~~\n$b = 2\n~~~", "$a = 1\n$b = 2"),
        (f"> {CODE}".replace("\n", "\n> "), CODE),
        ("> ```puppet\n> notice(1)\n> ```", "notice(1)"),
        (f"+{CODE}".replace("\n", "\n+"), CODE),
        ("Try this:\n\n```puppet\nnotice(1)\n```\nIt says 1.", "notice(1)"),
        ("On Monday somebody wrote:\n> notice(1)\n> notice(2)", "notice(1)\nnotice(2)"),
        (">> > class shop {\n>> >   $a = 1\n>> > }", "class shop {\n  $a = 1\n}"),
        ("> > notice(1)\n> > notice(2)", "notice(1)\nnotice(2)"),
        ("````puppet\n$a = @(X)\n```\n~~~\n| X\n````\n", "$a = @(X)\n```\n~~~\n| X"),
        (
            "diff --git a/x.pp b/x.pp\nnew file mode 100644\nindex 0..1\n--- /dev/null\n"
            "+++ b/x.pp\n@@ -0,0 +1 @@\n+$a = 1\n\\ No newline at end of file",
            "$a = 1",
        ),
        (
            "--- a/x.pp\n+++ b/x.pp\n@@ -1,3 +1,3 @@ x\n class shop {\n-  $a = 1\n+  $a = 2\n }",
            "class shop {\n  $a = 2\n}",
        ),
        (f"1 {CODE}".replace("\n ", "\n2  ").replace("\n}", "\n3 }"), CODE),
        (" 9: $a = 1\n10:\n11: $b = 2", "$a = 1\n\n$b = 2"),
        ("$ puppet apply -e 'notice(1)'", "notice(1)"),
        ("% sudo /opt/bin/puppet apply --noop --execute \"notice('a')\"", "notice('a')"),
        ("puppet-repl -e '1 + 1'", "1 + 1"),
        ("root@web01:~# puppet apply -e 'notice(1)'", "notice(1)"),
        ("[al@web01 ~]$ sudo puppet apply -e 'notice(1)'", "notice(1)"),
        ("notice(&#x27;a&#39;)", "notice('a')"),
        ("if 1 &lt; 2 { notice(&quot;a&quot;) }", 'if 1 < 2 { notice("a") }'),
    ],
)
def test_what_surrounds_code_is_removed(pasted: str, clean: str) -> None:
    assert clean_paste(pasted) == clean


@pytest.mark.parametrize(
    "text",
    [
        "1 + 1\n2 + 2",
        "1\n2\n3",
        "@@file { '/a': }",
        "$a = @(END)\n  > quoted\n  ```\n  | END",
        "'&quot;'",
        ":catalog json",
        "-> notify { 'b': }",
        "+ 1 ]",
        "> 1 ] 2",
        "puppet apply site.pp",
        "puppet apply -e 'unclosed",
        "1" * 130_000 + " ]\n2 ]",
        "$a = ] @(X)\n```\nhi\n```\n| X",
        "```puppet\nThis is ] no code\n```",
        "",
    ],
)
def test_what_is_code_or_none_at_all_stays(text: str) -> None:
    assert clean_paste(text) == text


def test_what_goes_on_with_an_entry_loses_only_prompts() -> None:
    assert clean_paste("> 1", alone=False) == "> 1"
    assert clean_paste("puppet [1]> 2\n2", alone=False) == "2"


@pytest.mark.parametrize("pasted", [CODE, "$x = (", "notice(1))", "1 > 2\n\n3\n"])
def test_a_text_without_decorations_is_not_parsed(
    monkeypatch: pytest.MonkeyPatch, pasted: str
) -> None:
    def is_wrong(text: str) -> bool:
        raise AssertionError(f"parsed: {text}")

    monkeypatch.setattr("puppet_repl.frontends.terminal.pasting._is_wrong", is_wrong)
    assert clean_paste(pasted) == pasted
