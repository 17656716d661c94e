"""Programs and the prompt of the playground."""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playground import PATIENCE, enter, run, wait, write


def test_a_program_is_evaluated(page: Page) -> None:
    log = run(page, "notice('hello')\n[1, 2, 3].map |$x| { $x * 2 }")
    expect(log).to_contain_text("Notice: hello")
    expect(log.locator(".result")).to_have_text("[2, 4, 6]")
    expect(page.locator("#state")).to_contain_text("The program took")
    expect(page.locator("#version")).to_contain_text("puppet-repl ")


def test_a_program_is_run_afresh_each_time(page: Page) -> None:
    code = "$x = 1\nnotify { 'once': }\n$x"
    for _ in range(2):
        expect(run(page, code).locator(".result")).to_have_text("1")


def test_the_prompt_goes_on_where_the_program_ends(page: Page) -> None:
    run(page, "$ports = [80, 443]\nfunction twice($n) { $n * 2 }")
    expect(enter(page, "$ports.map |$p| { twice($p) }").locator(".result")).to_have_text(
        "[160, 886]"
    )
    expect(enter(page, ":vars").locator("table")).to_contain_text("$ports")


def test_the_prompt_asks_for_more_and_remembers(page: Page) -> None:
    run(page, "$x = 20")
    page.locator("#prompt .cm-content").click()
    lines = page.locator("#prompt .cm-line")
    for count, line in enumerate(("if $x > 1 {", "'big'", "}"), start=1):
        expect(lines).to_have_count(count)
        page.keyboard.insert_text(line)
        page.keyboard.press("Enter")
    expect(page.locator("#log .result")).to_have_text(["20", "'big'"])
    wait(page)
    page.keyboard.press("ArrowUp")
    expect(page.locator("#prompt .cm-line")).to_have_count(3)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#prompt .cm-line")).to_have_text("")


def test_more_than_a_page_can_show_is_cut_off(page: Page) -> None:
    log = run(page, "Integer[1, 11000].each |$i| { notice($i) }\n'the end'")
    expect(log.locator(".remark")).to_have_text("More is logged than this page shows.")
    expect(log.locator(".stream span")).to_have_count(10_000)
    expect(log.locator(".result")).to_have_text("'the end'")


def test_tables_and_documentation_are_rich(page: Page) -> None:
    log = run(page, "[{'host' => 'web01', 'port' => 80}, {'host' => 'db01', 'port' => 5432}]")
    expect(log.locator("th")).to_have_text(["host", "port"])
    shown = enter(page, ":help upcase")
    expect(shown.locator("strong").first).to_have_text("upcase")
    expect(shown.locator("pre .nf").first).to_have_text("upcase")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("generate('/bin/date')", "there are no programs in a browser"),
        ("inline_template('<%= 1 %>')", "a browser runs no Ruby"),
        (":set advice off --save", "a browser saves no settings"),
        ("function f($n) { 1 + f($n) } f(1)", "stack level too deep"),
    ],
)
def test_what_a_browser_cannot_do_is_told(page: Page, code: str, message: str) -> None:
    expect(enter(page, code).locator(".error")).to_contain_text(message)


OUTPUTS = """async messages => {
  const { Outputs } = await import('./outputs.mjs');
  const shown = document.createElement('div');
  document.body.append(shown);
  const outputs = new Outputs(shown);
  messages.forEach(message => outputs.show(message));
  // A picture is measured when it has been decoded.
  await Promise.all([...shown.querySelectorAll('img')].map(image => image.decode()));
  await new Promise(resolve => setTimeout(resolve));
  shown.remove();
  return [shown.textContent, [...shown.querySelectorAll('img')].map(each => each.style.minWidth)];
}"""


def test_outputs_that_are_cleared_are_not_counted(page: Page) -> None:
    many = {"type": "stream", "content": {"name": "stdout", "text": "x\n" * 10_000}}
    last = {"type": "stream", "content": {"name": "stdout", "text": "the last\n"}}
    for waits in (False, True):
        clear = {"type": "clear_output", "content": {"wait": waits}}
        assert page.evaluate(OUTPUTS, [many, clear, last])[0] == "the last\n"
    assert "More is logged" in page.evaluate(OUTPUTS, [many, last])[0]


def test_a_picture_that_is_changed_stays_readable(page: Page) -> None:
    def picture(width: int) -> dict[str, object]:
        svg = f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='10'/>"
        source = f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
        return {
            "data": {"text/html": f'<img alt="a graph" src="{source}">'},
            "transient": {"display_id": "one"},
        }

    first = {"type": "display_data", "content": picture(100)}
    second = {"type": "update_display_data", "content": picture(1000)}
    assert page.evaluate(OUTPUTS, [first])[1] == ["70px"]
    assert page.evaluate(OUTPUTS, [first, second])[1] == ["700px"]


def test_the_button_formats_a_program_as_one_step(page: Page) -> None:
    messy = "$x=1\n:vars\nfile{'/a':ensure=>file,mode=>'0644'}"
    formed = "$x = 1\n:vars\nfile { '/a':\n  ensure => file,\n  mode   => '0644',\n}"
    lines = page.locator("#editor .cm-line")
    write(page, messy)
    page.locator("#format").click()
    expect(lines).to_have_text(formed.split("\n"), timeout=PATIENCE)
    expect(page.locator("#state")).to_have_text("Formatted.")
    page.locator("#editor .cm-content").focus()
    page.keyboard.press("ControlOrMeta+z")
    expect(lines).to_have_text(messy.split("\n"))
    page.keyboard.press("Shift+Alt+f")
    expect(lines).to_have_text(formed.split("\n"))
    # The cursor is still behind the last bracket.
    page.keyboard.insert_text("#")
    expect(lines.last).to_have_text("}#")


def test_a_program_with_an_error_is_not_formatted(page: Page) -> None:
    code = "$x=1\n$y = [1, 2)"
    write(page, code)
    page.locator("#format").click()
    notice = page.locator("#notice")
    expect(notice).to_contain_text(
        "Not formatted: Syntax error at ')' (line: 2, column: 11); hint:"
    )
    expect(page.locator("#editor .cm-line")).to_have_text(code.split("\n"))
    expect(page.locator("#editor .cm-lintRange-error")).to_have_text(")")
    write(page, "$x = 1")
    page.locator("#format").click()
    expect(page.locator("#state")).to_have_text("The program has its form.")
    expect(notice).to_be_hidden()


def test_the_first_click_on_format_loads_puppet(new_page: Page) -> None:
    new_page.locator("#examples").select_option("iteration")
    new_page.locator("#format").click()
    wait(new_page)
    expect(new_page.locator("#state")).to_have_text("The program has its form.")
    expect(new_page.locator("#log .output")).to_have_count(0)
