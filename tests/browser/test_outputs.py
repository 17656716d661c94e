"""What stands in JupyterLab's outputs: beside ipykernel's, in dark, in notebooks of others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.notebook import (
    IDLE,
    cell,
    focus,
    least_contrast,
    open_notebook,
    output,
    pressed_until,
    run,
    run_in_order,
    show_unsigned_copy,
)

# The first line of the text of an element: where it begins, and its font.
FIRST_LINE = """element => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && !walker.currentNode.textContent.trim());
  const node = walker.currentNode, range = document.createRange();
  range.setStart(node, 0);
  range.setEnd(node, 1);
  const box = range.getBoundingClientRect(), style = getComputedStyle(node.parentElement);
  return { left: box.left, middle: box.top + box.height / 2,
           font: style.fontFamily, size: parseFloat(style.fontSize) };
}"""
# The words of an element, with what names have in them, that stand on several lines.
BROKEN_WORDS = """element => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), broken = [];
  while (walker.nextNode()) {
    const range = document.createRange();
    for (const word of walker.currentNode.textContent.matchAll(/[$\\w]+/g)) {
      range.setStart(walker.currentNode, word.index);
      range.setEnd(walker.currentNode, word.index + word[0].length);
      if (range.getClientRects().length > 1) broken.push(word[0]);
    }
  }
  return broken;
}"""
COLOUR = "element => getComputedStyle(element).color"
ONE_LINE = (
    "1 + 2",
    "'text'",
    "true",
    "[undef]",
    "[1, 'two']",
    "{ 'a' => 1, 'b' => [2] }",
    "Integer[1, 2]",
    "/a+b/",
    "Notify['a']",
    "Timestamp('2024-01-02')",
)
RECORDS = "[{ 'cmd' => 'echo $~/ and $PATH', 'n' => 1 }, { 'cmd' => 'price: $5 to $10', 'n' => 2 }]"


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> str:
    """The theme of JupyterLab."""
    if request.param == "dark":
        request.getfixturevalue("dark")
    return str(request.param)


def area(page: Page, index: int) -> Locator:
    """The only output of a cell, with its prompt and margins."""
    found = cell(page, index).locator(".jp-OutputArea-child")
    expect(found).to_have_count(1)
    return found


def height(page: Page, index: int) -> float:
    box = area(page, index).bounding_box()
    assert box is not None
    return box["height"]


def test_a_value_is_as_high_as_ipykernels_and_on_the_line_of_its_prompt(
    page: Page, server: tuple[str, Path]
) -> None:
    open_notebook(page, server, "python", "1 + 2", "[1, 'two']", kernel="python3")
    run_in_order(page, 2)
    limit = 1.2 * max(height(page, 0), height(page, 1))
    wanted = output(page, 0).evaluate(FIRST_LINE)
    open_notebook(page, server, "puppet", *ONE_LINE)
    run_in_order(page, len(ONE_LINE))
    for index, code in enumerate(ONE_LINE):
        assert 0 < height(page, index) <= limit, code
        text = output(page, index).evaluate(FIRST_LINE)
        mark = area(page, index).locator(".jp-OutputPrompt").evaluate(FIRST_LINE)
        assert abs(text["middle"] - mark["middle"]) <= 2, code
        assert abs(text["left"] - wanted["left"]) <= 2, code
        assert text["font"] == wanted["font"], code
        assert abs(text["size"] - wanted["size"]) < 0.1, code


DOCUMENTED = r"""# Between $facts and `$x`, $5 to $10.
#
# - $first: **one**
# - $second: two
#
# @param port
#   Like $facts or `$a`, \\(n\\) or \begin{a} \end{a}.
# @param root
#   Below $port and $root, <b>always</b>.
class shop($port, String $root) { }"""


def test_dollar_signs_are_no_formulas(page: Page, server: tuple[str, Path]) -> None:
    cells = (
        *("$both = '$a and $b'", RECORDS, ":help all", ":history", "notice($both)", ":doc split"),
        *(DOCUMENTED, ":doc shop", "include shop"),
    )
    open_notebook(page, server, "dollars", *cells)
    # JupyterLab does typeset formulas: in text, and where an output does not refuse.
    focus(page, 0)
    page.keyboard.press("Escape")
    for key in ("a", "m", "Enter"):
        page.keyboard.press(key)
    page.keyboard.insert_text("$x^2$ and $y$")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".jp-MarkdownCell mjx-container")).to_have_count(2)
    run_in_order(page, len(cells))
    page.locator(IDLE).wait_for()
    expect(output(page, 1)).to_contain_text("echo $~/ and $PATH")
    expect(output(page, 1)).to_contain_text("price: $5 to $10")
    expect(cell(page, 2)).to_contain_text("($VISUAL, $EDITOR)")
    expect(output(page, 3)).to_contain_text("$both = '$a and $b'")
    signature = "split(String $str, String $pattern) >> Array[String]"
    expect(output(page, 5).locator("pre").first).to_contain_text(signature)
    shown = output(page, 7)
    above, below = (shown.locator(name).first.bounding_box() for name in ("pre code", "pre + p"))
    assert above is not None and below is not None
    assert below["y"] - above["y"] - above["height"] >= 8, "prose keeps its distance from code"
    expect(shown.locator("p").nth(1)).to_have_text("Between $facts and $x, $5 to $10.")
    expect(shown.locator("p").nth(1).locator("code")).to_have_text("$x")
    items = (
        "$first: one",
        "$second: two",
        r"$port: Like $facts or $a, \(n\) or \begin{a} \end{a}.",
        "$root String: Below $port and $root, <b>always</b>.",
        "Defined at: cell 7:10",
    )
    expect(shown.locator("li")).to_have_text([*items])
    expect(shown.locator("li strong")).to_have_text("one")
    expect(shown.locator("li code")).to_have_text(["$port", "$a", "$root", "String", "cell 7:10"])

    def press() -> None:
        focus(page, 8)
        page.keyboard.press("Shift+Tab")

    tooltip = page.locator(".jp-Tooltip")
    pressed_until(press, lambda: expect(tooltip.locator("li")).to_have_text([*items], timeout=3000))
    expect(tooltip.locator("pre").first).to_contain_text("class shop($port, String $root)")
    expect(page.locator(":is(.jp-CodeCell, .jp-Tooltip) mjx-container")).to_have_count(0)
    page.keyboard.press("Escape")
    show_unsigned_copy(page, server, "dollars")
    expect(output(page, 7).locator("li")).to_have_text([*items])
    expect(page.locator(".jp-MarkdownCell mjx-container")).to_have_count(2)
    expect(page.locator(".jp-CodeCell mjx-container")).to_have_count(0)


def colours(page: Page, index: int, *classes: str) -> list[str]:
    """The colours of what has these classes in the output of a cell, and of text beside them."""
    shown = [output(page, index).locator(f".{name}").first for name in classes]
    return [each.evaluate(COLOUR) for each in [*shown, output(page, index).locator("code").first]]


LEFT = "element => element.getBoundingClientRect().left"
ALIGNED = (
    (":vars nothing", "p"),
    (RECORDS, "table"),
    ("Notify['a']", "summary"),
    (":doc split", "p"),
    (":resources", "table"),
    (":graph", "img"),
    (":catalog", "code"),
)


def test_what_is_no_text_begins_where_text_does(
    page: Page, server: tuple[str, Path], theme: str
) -> None:
    cells = ("1", "notify { 'a': }", "notify { 'b': }", *(code for code, _ in ALIGNED))
    open_notebook(page, server, f"left-{theme}", *cells)
    run_in_order(page, len(cells))
    wanted = output(page, 0).evaluate(FIRST_LINE)["left"]
    for index, (code, element) in enumerate(ALIGNED, 3):
        left = output(page, index).locator(element).first.evaluate(LEFT)
        assert abs(left - wanted) <= 1, code


LONG_ERROR = """class profile($addresses, Enum['short', 'long'] $mode) { }
class { 'profile': adresses => ['0.0.0.0', '127.0.0.1'], mode => 'a text that no enum has' }"""
WORDS_ON_LINES = """element => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), words = [];
  while (walker.nextNode()) {
    for (const found of walker.currentNode.textContent.matchAll(/[\\w']{2,}/g)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, found.index);
      range.setEnd(walker.currentNode, found.index + found[0].length);
      const tops = [...range.getClientRects()].map(box => Math.round(box.top));
      words.push([found[0], new Set(tops).size]);
    }
  }
  return words;
}"""


def test_lines_of_text_wrap_at_words(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "wrapped", LONG_ERROR, "1", f"notice('{'y' * 300}')")
    page.set_viewport_size({"width": 760, "height": 1200})
    for index in range(3):
        run(page, index)
        expect(output(page, index).first).to_be_visible()
    words = output(page, 0).last.evaluate(WORDS_ON_LINES)
    assert len(words) > 20
    assert [word for word, lines in words if lines > 1] == []
    box = output(page, 0).last.bounding_box()
    line = output(page, 0).last.locator("pre").bounding_box()
    assert box is not None and line is not None
    assert line["height"] > 100, "the message has several lines"
    for index in (0, 2):
        wide = "element => element.scrollWidth <= element.clientWidth"
        assert output(page, index).last.evaluate(wide), "a word that is too long is broken"


def test_a_cloned_notebook_has_all_that_one_of_ones_own_has(
    page: Page, server: tuple[str, Path], theme: str
) -> None:
    cells = ("{ 'a' => 1, 'b' => Integer, 'c' => true }", RECORDS, ":vars facts")
    name = f"trusted-{theme}"
    open_notebook(page, server, name, *cells)
    run_in_order(page, len(cells))

    def seen() -> tuple[object, ...]:
        kinds = colours(page, 0, "mi", "s1", "kt", "k")
        assert len(set(kinds)) == len(kinds)
        table = output(page, 1).locator("table")
        expect(table.locator("td")).to_have_count(4)
        texts, numbers = table.locator("td:nth-child(1)"), table.locator("td:nth-child(2)")
        expect(texts.first).to_have_css("text-align", "left")
        expect(numbers.first).to_have_css("text-align", "right")
        expect(page.locator(".jp-OutputArea mjx-container")).to_have_count(0)
        assert least_contrast(page.locator(".jp-OutputArea-output :is(td, th, code, span)")) > 3
        return kinds, height(page, 0), height(page, 1), table.bounding_box()

    assert (page.evaluate("document.body.dataset.jpThemeLight") == "false") == (theme == "dark")
    own = seen()
    show_unsigned_copy(page, server, name)
    assert seen() == own


def test_messages_and_errors_are_legible(page: Page, server: tuple[str, Path], theme: str) -> None:
    code = "notice('n')\nwarning('w')\nerr('e')\ndebug('d')\n[] - {} * 'x'"
    open_notebook(page, server, f"messages-{theme}", code, "if true {")
    run_in_order(page, 2)
    # Warnings stand among the messages, on the background of text; only errors are red.
    said, failed = output(page, 0).nth(0), output(page, 0).nth(1)
    expect(said).to_have_text("Notice: n\nWarning: w\n")
    expect(failed).to_have_text("Error: e\n")
    expect(output(page, 0).nth(2)).to_contain_text("Evaluation Error")
    expect(output(page, 1)).to_contain_text("is never closed")
    background = "element => getComputedStyle(element).backgroundColor"
    assert said.evaluate(background) != failed.evaluate(background)
    for texts in (said, failed, output(page, 0).nth(2), output(page, 1)):
        assert least_contrast(texts.locator("pre, pre span")) > 4.5


def test_commands_and_code_run_in_one_cell_in_order(page: Page, server: tuple[str, Path]) -> None:
    cells = (
        "$first = 1\n:vars first\n$second = $first + 1\n%facts os.name\n$second * 10",
        "$third = 3\n:nosuch\n$fourth = 4",
        "$fourth",
        "%%quiet\n$fifth = 5\nnotice('said')",
        "%%time\n$fifth + 1",
    )
    open_notebook(page, server, "several", *cells)
    run_in_order(page, len(cells))
    shown = (r"1", r"NameTypeValue\$firstInteger1", r"2", r"'\w+'", r"20")
    expect(output(page, 0)).to_have_text([re.compile(rf"^\s*{each}\s*$") for each in shown])
    expect(output(page, 1)).to_have_text([re.compile("3"), re.compile("no command :nosuch")])
    expect(output(page, 2)).to_contain_text("Unknown variable: 'fourth'")
    expect(output(page, 3)).to_have_text(["Notice: said\n"])
    expect(output(page, 4).first).to_contain_text("6")


def test_conditions_end_their_lines_between_words(page: Page, server: tuple[str, Path]) -> None:
    found = "x" * 60
    code = (
        f"%%check\n$text = '{found}'\n"
        "$text.length + 100000000 == 1234567890 or $text == 'some other text' and true\n"
        "['first_element', 'second_element'] == ['third_element', 'fourth_element']"
    )
    open_notebook(page, server, "conditions", code)
    run_in_order(page, 1)

    def check() -> None:
        page.set_viewport_size({"width": 700, "height": 800})
        shown = output(page, 0).first.locator("pre")
        expect(shown).to_have_count(2)
        heights = [
            each.evaluate("element => element.getClientRects()[0].height") for each in shown.all()
        ]
        assert min(heights) > 30, "the lines are not long enough for this test"
        for each in shown.all():
            assert each.evaluate(BROKEN_WORDS) == []

    wide = page.viewport_size
    assert wide is not None
    check()
    page.set_viewport_size(wide)
    show_unsigned_copy(page, server, "conditions")
    check()
