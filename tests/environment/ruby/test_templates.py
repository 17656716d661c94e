"""ERB templates: what they see, what they make, and where they go wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puppet_repl.environment.ruby.templates import Templates, may_change, names_read
from puppet_repl.session import Options, Session
from tests.environment.ruby.engine import ENGINE, needs_ruby


def session(**options: Any) -> Session:
    return Session(Options(ruby=ENGINE, **options), facts={"os": {"family": "Debian"}})


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("<%= @a %> <% @b_1.each do |x| %><%= @a %>", ("a", "b_1")),
        ("user@example <%= @_x %>", ("example", "_x")),
        ("<%= instance_variable_get('@a') %>", None),
        ("<%= ERB.new('x').result(binding) %>", None),
        ("<%= @instance_name %>", ("instance_name",)),
        ("<%= scope['a'] %>", ()),
    ],
)
def test_names_that_a_template_reads(text: str, names: tuple[str, ...] | None) -> None:
    assert names_read(text) == names


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("<% @a.each do |k, v| -%><%= k %>=<%= v['x'] == 1 ? @b : !@c %><% end %>", (False, False)),
        ("<% if @a != [] && @a['x'] =~ /y/ %><%= @a.sort.to_yaml %><% end %>", (False, False)),
        ("<% @a.delete('x') %>", (True, False)),
        ("<% @a['x'] ||= 1 %>", (True, False)),
        ("<% PuppetX::Tool.run(@a) %>", (True, False)),
        ("<% @a['x'] = 1 %>", (True, True)),
        ("<% @a << 1 %>", (True, True)),
        ("<% @a.sort! %>", (True, True)),
        ("<% instance_variable_get('@a') %>", (True, True)),
    ],
)
def test_whether_a_template_may_change_anything(text: str, changes: tuple[bool, bool]) -> None:
    assert may_change(text) == changes


@needs_ruby
def test_templates_of_one_session() -> None:
    """A text is compiled once, and each rendering has the variables of its own call."""
    here = session()
    outcome = here.execute(
        '[1, 2].map |$i| { inline_template(\'<%= @i %><%= @facts["os"]["family"] %><%= @j %>\') }'
    )
    assert outcome.value == ("1Debian", "2Debian")
    outcome = here.execute("$j = 3 inline_template('<%= @i %><%= @j %>')")
    assert outcome.value == "3"


@needs_ruby
def test_facts_are_sent_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often a template asks for all variables, a fact crosses to Ruby once."""
    sent: list[int] = []
    fixed_value = Templates.fixed_value

    def noted(self: Templates, number: int) -> Any:
        sent.append(number)
        return fixed_value(self, number)

    monkeypatch.setattr(Templates, "fixed_value", noted)
    asked = "scope.to_hash['os']['family']"
    frozen = "scope.to_hash['facts']['os'].frozen?"
    code = f'$r = inline_template("<%= [{asked}, {asked}, {frozen}, @os.frozen?].inspect %>") $r'
    outcome = session().execute(code)
    assert outcome.value == '["Debian", "Debian", true, true]'
    assert sent
    assert len(sent) == len(set(sent))


@needs_ruby
def test_template_that_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.erb"
    here = session()
    for number in (1, 2):
        path.write_text(f"{number}<%= 0 %>", encoding="utf-8")
        assert here.execute(f"template('{path}')").value == f"{number}0"


@needs_ruby
def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    path = tmp_path / "a.erb"
    path.write_bytes(b"\xe4<%= 1 %>")
    outcome = session().execute(f"template('{path}').length")
    assert outcome.error is None
    assert outcome.value == 2


@needs_ruby
def test_class_in_a_template_is_defined_each_time() -> None:
    code = "inline_template('<% class T; def x; 5; end; end %><%= T.new.x %>')"
    here = session()
    assert [here.execute(code).value for _ in range(2)] == ["5", "5"]


def test_without_ruby(tmp_path: Path) -> None:
    module = tmp_path / "m" / "templates"
    module.mkdir(parents=True)
    (module / "a.erb").write_text("<%= 1 %>", encoding="utf-8")
    (module / "plain").write_text("no tags", encoding="utf-8")
    here = Session(Options(ruby="off", modulepath=(str(tmp_path),)), facts={})
    error = here.execute("template('m/a.erb')").error
    assert error is not None
    assert f"The template 'm/a.erb' ({module}/a.erb) is in ERB" in error.message
    assert "':set ruby auto' makes it possible" in error.message
    assert here.execute("template('m/plain')").value == "no tags"
    assert here.execute("inline_template('no tags')").value == "no tags"
    error = here.execute("inline_template('<%= 1 %>')").error
    assert error is not None
    assert "The text of inline_template() is in ERB" in error.message


def test_without_ruby_and_with_a_warning() -> None:
    here = Session(Options(ruby="off", unknown_functions="warn"), facts={})
    outcome = here.execute("inline_template('<%= 1 %>')")
    assert outcome.error is None
    assert outcome.value is None
    assert [level for level, _ in outcome.logs] == ["warning"]
    assert "it gives undef" in outcome.logs[0][1]


@needs_ruby
def test_failures_inside_of_a_library_name_the_line_of_the_template(tmp_path: Path) -> None:
    template = tmp_path / "m" / "templates" / "x.erb"
    template.parent.mkdir(parents=True)
    template.write_text("a\n<%= JSON.parse(nil) %>\n")
    outcome = session(modulepath=(str(tmp_path),)).execute("template('m/x.erb')")
    assert outcome.error is not None
    assert f"Filepath: {template}\n  Line: 2\n" in outcome.error.message
