"""Renaming in several files: the edits, the file that moves, and the reasons against it."""

from __future__ import annotations

import textwrap

import pytest

from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.renaming import rename, shared_name_at
from puppet_repl.tools.renaming.sources import Sources
from puppet_repl.tools.renaming.values import Values
from puppet_repl.tools.renaming.work import Refused, Renaming
from tests.tools.renaming.compare import edited

CURSOR = "¦"


def module_file(path: str) -> str | None:
    """Return the path inside of the module: all but ``site.pp`` is in one."""
    return path if "/" in path else None


def renamed(files: dict[str, str], new: str) -> tuple[dict[str, str], Renaming]:
    """Rename what is at the cursor of one of the files; return the new texts."""
    texts = {path: textwrap.dedent(text).lstrip("\n") for path, text in files.items()}
    path = next(each for each in texts if CURSOR in texts[each])
    offset = texts[path].index(CURSOR)
    texts[path] = texts[path].replace(CURSOR, "")
    program = parse(Source(texts[path], path), epp=path.endswith(".epp"))
    name = shared_name_at(program, offset)
    assert name is not None
    done = rename(Values(Sources(texts, texts.get)), name, new, module_file)
    changed = {each: edited(texts[each], edits) for each, edits in done.edits.items()}
    return changed, done


# Each line of the texts that has the name has the new one afterwards: `p` becomes `q`, and so does
# `a::b` become `a::c`. Where it stays, `=p=` or `=a::b=` is written without the signs.

PARAMETER = {
    "a/manifests/init.pp": """
        # @param p the port
        # @param other nothing of p
        class a ($p¦ = 1, $other = $p, $_p = 2) {
          notice("${p} $p ${p['x']} $_p")
          [1].each |$x| { notice($p + $x) }
          [1].each |$p| { notice($p) }
          file { '/x': content => inline_template('<%= @other %>'), p => 1 }
        }
        """,
    "a/manifests/child.pp": "class a::child inherits a { notice($p) }\n",
    "a/manifests/other.pp": "class a::other ($p = $a::child::p) inherits a::child { notice($p) }\n",
    "b/manifests/init.pp": """
        class b {
          class { 'a': p => 1 }
          class { 'c': p => 1 }
          notice($a::p, $::a::p, $c::p, getvar('a::p'), lookup('a::p'), lookup('c::p'))
          $h = { 'p' => 2, 'x' => 3 }
          class { '::a': * => $h }
          notice(Class['a']['p'], Class['c']['p'])
          ensure_resource('class', 'a', { 'p' => 3 })
          create_resources('class', { 'a' => { 'p' => 3 } })
          $reference = Class['a']
          notice($reference['p'])
          $erb = @(END)
            a::p <%= scope["a::p"] %>
            | END
          notice(inline_template('<%= scope["a::p"] %>', "<%= scope['::a::p'] %> ${1}", $erb))
          notice(inline_epp("<%= ${a::p} %> a::p <%= @p %>"))
        }
        """,
    "b/templates/x.epp": "<%= $a::p %> <%= $p %>\n",
    "b/templates/x.erb": "a::p <%= scope['a::p'] %> <%= @p %>\n",
    "data/common.yaml": """
        lookup_options:
          a::p:
            merge: first
        a::p: 1
        "a::other": "%{lookup('a::p')} p"
        p: 1
        """,
}
PARAMETER_AFTER = {
    "a/manifests/init.pp": """
        # @param q the port
        # @param other nothing of p
        class a ($q = 1, $other = $q, $_p = 2) {
          notice("${q} $q ${q['x']} $_p")
          [1].each |$x| { notice($q + $x) }
          [1].each |$p| { notice($p) }
          file { '/x': content => inline_template('<%= @other %>'), p => 1 }
        }
        """,
    "a/manifests/child.pp": "class a::child inherits a { notice($q) }\n",
    "a/manifests/other.pp": "class a::other ($p = $a::child::q) inherits a::child { notice($p) }\n",
    "b/manifests/init.pp": """
        class b {
          class { 'a': q => 1 }
          class { 'c': p => 1 }
          notice($a::q, $::a::q, $c::p, getvar('a::q'), lookup('a::q'), lookup('c::p'))
          $h = { 'q' => 2, 'x' => 3 }
          class { '::a': * => $h }
          notice(Class['a']['q'], Class['c']['p'])
          ensure_resource('class', 'a', { 'q' => 3 })
          create_resources('class', { 'a' => { 'q' => 3 } })
          $reference = Class['a']
          notice($reference['q'])
          $erb = @(END)
            a::p <%= scope["a::q"] %>
            | END
          notice(inline_template('<%= scope["a::q"] %>', "<%= scope['::a::q'] %> ${1}", $erb))
          notice(inline_epp("<%= ${a::q} %> a::p <%= @p %>"))
        }
        """,
    "b/templates/x.epp": "<%= $a::q %> <%= $p %>\n",
    "b/templates/x.erb": "a::p <%= scope['a::q'] %> <%= @p %>\n",
    "data/common.yaml": """
        lookup_options:
          a::q:
            merge: first
        a::q: 1
        "a::other": "%{lookup('a::q')} p"
        p: 1
        """,
}
OF_DEFINE = {
    "a/manifests/b.pp": "define a::b ($p) { notice($p) }\n",
    "m/manifests/init.pp": """
        class m (Hash $sites, Hash $others = {}) {
          a::b { 'x': p¦ => 1; 'y': p => 2 }
          A::B { p => 3 }
          A::B['x'] { p => 4 }
          A::B <| p == 4 |> { p => 5 }
          create_resources('a::b', { 't' => { p => 1 } }, { 'p' => 2 })
          $sites.each |$name, $site| { a::b { $name: * => $site } }
          $others.each |$name, $site| { c::d { $name: * => $site } }
          c::d { 'x': p => 1 }
          C::D { p => 3 }
        }
        """,
    "data/common.yaml": """
        m::sites:
          one: {p: 1}
          two:
            p: 2
        m::others:
          two: {p: 2}
        other:
          two: {p: 2}
        """,
}
OF_DEFINE_AFTER = {
    "a/manifests/b.pp": "define a::b ($q) { notice($q) }\n",
    "m/manifests/init.pp": """
        class m (Hash $sites, Hash $others = {}) {
          a::b { 'x': q => 1; 'y': q => 2 }
          A::B { q => 3 }
          A::B['x'] { q => 4 }
          A::B <| q == 4 |> { q => 5 }
          create_resources('a::b', { 't' => { q => 1 } }, { 'q' => 2 })
          $sites.each |$name, $site| { a::b { $name: * => $site } }
          $others.each |$name, $site| { c::d { $name: * => $site } }
          c::d { 'x': p => 1 }
          C::D { p => 3 }
        }
        """,
    "data/common.yaml": """
        m::sites:
          one: {q: 1}
          two:
            q: 2
        m::others:
          two: {p: 2}
        other:
          two: {p: 2}
        """,
}
VARIABLE = {
    "a/manifests/init.pp": """
        # @param other p
        class a ($other = 1) {
          $p¦ = $other
          notice("${p} ${a::p} $::a::p p")
          [1].each |$p| { notice($p) }
          if $other { [$x, $y] = [$p, 2] }
          file { '/x': content => inline_template('<%= scope["a::p"] %>'), p => $p }
        }
        """,
    "a/manifests/child.pp": "class a::child inherits a { notice($p, $a::child::p) }\n",
    "b/manifests/init.pp": """
        class b ($p = $a::p) {
          notice($p, getvar('a::p'), defined('$a::p'), Class['a']['other'])
          class { 'c': p => $a::p }
        }
        """,
    "b/templates/x.epp": "<%= $a::p %> <%= $p %>\n",
    "b/templates/x.erb": "<%= scope['a::p'] %> <%= @p %> <%= scope.lookupvar('::a::p') %>\n",
    "data/common.yaml": 'c::p: "%{a::p} %{::a::p}"\n',
}
VARIABLE_AFTER = {
    "a/manifests/init.pp": """
        # @param other p
        class a ($other = 1) {
          $q = $other
          notice("${q} ${a::q} $::a::q p")
          [1].each |$p| { notice($p) }
          if $other { [$x, $y] = [$q, 2] }
          file { '/x': content => inline_template('<%= scope["a::q"] %>'), p => $q }
        }
        """,
    "a/manifests/child.pp": "class a::child inherits a { notice($q, $a::child::q) }\n",
    "b/manifests/init.pp": """
        class b ($p = $a::q) {
          notice($p, getvar('a::q'), defined('$a::q'), Class['a']['other'])
          class { 'c': p => $a::q }
        }
        """,
    "b/templates/x.epp": "<%= $a::q %> <%= $p %>\n",
    "b/templates/x.erb": "<%= scope['a::q'] %> <%= @p %> <%= scope.lookupvar('::a::q') %>\n",
    "data/common.yaml": 'c::p: "%{a::q} %{::a::q}"\n',
}
OF_TEMPLATE = {
    "a/templates/x.epp": (
        "<%- | $p¦, $r = $p | -%>\np <%= $p %> ${p} <% [1].each |$p| { %><%= $p %><% } %>"
    ),
    "a/manifests/init.pp": """
        class a ($p) {
          $h = { 'p' => 1 }
          file { '/x': content => epp('a/x.epp', { 'p' => $p, p => 1, 'r' => { 'p' => 1 } }) }
          file { '/y': content => 'a/x.epp'.epp($h) }
          file { '/z': content => epp('a/z.epp', { 'p' => $p }) }
        }
        """,
}
OF_TEMPLATE_AFTER = {
    "a/templates/x.epp": (
        "<%- | $q, $r = $q | -%>\np <%= $q %> ${p} <% [1].each |$p| { %><%= $p %><% } %>"
    ),
    "a/manifests/init.pp": """
        class a ($p) {
          $h = { 'q' => 1 }
          file { '/x': content => epp('a/x.epp', { 'q' => $p, q => 1, 'r' => { 'p' => 1 } }) }
          file { '/y': content => 'a/x.epp'.epp($h) }
          file { '/z': content => epp('a/z.epp', { 'p' => $p }) }
        }
        """,
}
CLASS = {
    "a/manifests/b.pp": "class a::b¦ ($x = 1) { }\n",
    "a/manifests/b/c.pp": "class a::b::c inherits a::b { notice($x) }\n",
    "site.pp": """
        node 'x' {
          include a::b, a::b::c
          contain ['::a::b']
          class { 'a::b': x => 1, require => 'Class[A::B]' }
          Class['a::b'] -> Class['A::B'] -> Class[a::b::c]
          notice($a::b::x, $::a::b::x, $a::b::c::x, lookup('a::b::x'), defined('a::b'))
          $names = ['a::b', 'other']
          $names.each |$name| { include $name }
          include lookup('classes')
          include "role::${facts['role']}"
          file { '/a::b': content => template('a/b.erb') }
          notice(inline_template('a::b <%= scope["a::b::x"] %>'))
        }
        """,
    "a/templates/b.erb": (
        "a::b <%= scope['a::b::x'] %> <%= scope.call_function('a::b::x', []) %>\n"
    ),
    "data/common.yaml": """
        classes:
          - a::b
          - a::b::c
        a::b::x: "%{a::b::x}"
        a::b::c::x: 1
        others: [a::b]
        """,
}
CLASS_AFTER = {
    "a/manifests/b.pp": "class a::c ($x = 1) { }\n",
    "a/manifests/b/c.pp": "class a::b::c inherits a::c { notice($x) }\n",
    "site.pp": """
        node 'x' {
          include a::c, a::b::c
          contain ['::a::c']
          class { 'a::c': x => 1, require => 'Class[a::c]' }
          Class['a::c'] -> Class['a::c'] -> Class[a::b::c]
          notice($a::c::x, $::a::c::x, $a::b::c::x, lookup('a::c::x'), defined('a::c'))
          $names = ['a::c', 'other']
          $names.each |$name| { include $name }
          include lookup('classes')
          include "role::${facts['role']}"
          file { '/a::b': content => template('a/b.erb') }
          notice(inline_template('a::b <%= scope["a::c::x"] %>'))
        }
        """,
    "a/templates/b.erb": (
        "a::b <%= scope['a::c::x'] %> <%= scope.call_function('a::b::x', []) %>\n"
    ),
    "data/common.yaml": """
        classes:
          - a::c
          - a::b::c
        a::c::x: "%{a::c::x}"
        a::b::c::x: 1
        others: [a::b]
        """,
}
DEFINE = {
    "a/manifests/b.pp": "define a::b () { }\n",
    "site.pp": """
        a::b¦ { 'x': }
        A::B { tag => 'y' }
        A::B['x'] -> A::B <| |>
        create_resources('a::b', {})
        file { '/x': require => 'A::B[x]' }
        file { '/y': require => "A::B[${x}]" }
        notice(Resource['a::b', 'x'])
        """,
}
DEFINE_AFTER = {
    "a/manifests/b.pp": "define a::c () { }\n",
    "site.pp": """
        a::c { 'x': }
        A::C { tag => 'y' }
        A::C['x'] -> A::C <| |>
        create_resources('a::c', {})
        file { '/x': require => 'A::C[x]' }
        file { '/y': require => "A::C[${x}]" }
        notice(Resource['a::c', 'x'])
        """,
}
FUNCTION = {
    "a/functions/b.pp": "function a::b¦ ($x) { $x }\n",
    "site.pp": "notice(a::b(1), 2.a::b, call('a::b', 1), Deferred('a::b', [1]), a::b::c(1))\n",
    "hiera.yaml": "hierarchy:\n  - name: x\n    lookup_key: a::b\n",
    "a/templates/x.epp": "<%= a::b(1) %> a::b\n",
    "a/templates/x.erb": "<%= scope.call_function('a::b', []) %> <%= scope['a::b'] %>\n",
}
FUNCTION_AFTER = {
    "a/functions/b.pp": "function a::c ($x) { $x }\n",
    "site.pp": "notice(a::c(1), 2.a::c, call('a::c', 1), Deferred('a::c', [1]), a::b::c(1))\n",
    "hiera.yaml": "hierarchy:\n  - name: x\n    lookup_key: a::c\n",
    "a/templates/x.epp": "<%= a::c(1) %> a::b\n",
    "a/templates/x.erb": "<%= scope.call_function('a::c', []) %> <%= scope['a::b'] %>\n",
}
ALIAS = {
    "a/types/b.pp": "type A::B¦ = Integer\n",
    "a/manifests/init.pp": "class a (Optional[A::B] $x, A::B::C $y) { assert_type('A::B', 1) }\n",
    "data/common.yaml": "lookup_options:\n  a::x:\n    convert_to: A::B\n",
}
ALIAS_AFTER = {
    "a/types/b.pp": "type A::NewName = Integer\n",
    "a/manifests/init.pp": (
        "class a (Optional[A::NewName] $x, A::B::C $y) { assert_type('A::NewName', 1) }\n"
    ),
    "data/common.yaml": "lookup_options:\n  a::x:\n    convert_to: A::NewName\n",
}


@pytest.mark.parametrize(
    ("before", "new", "after", "move"),
    [
        (PARAMETER, "q", PARAMETER_AFTER, None),
        (VARIABLE, "q", VARIABLE_AFTER, None),
        (OF_TEMPLATE, "q", OF_TEMPLATE_AFTER, None),
        (OF_DEFINE, "q", OF_DEFINE_AFTER, None),
        (CLASS, "a::c", CLASS_AFTER, ("a/manifests/b.pp", "a/manifests/c.pp")),
        (DEFINE, "a::c", DEFINE_AFTER, ("a/manifests/b.pp", "a/manifests/c.pp")),
        (FUNCTION, "a::c", FUNCTION_AFTER, ("a/functions/b.pp", "a/functions/c.pp")),
        (ALIAS, "A::NewName", ALIAS_AFTER, ("a/types/b.pp", "a/types/newname.pp")),
    ],
    ids=[
        "parameter",
        "variable",
        "parameter of a template",
        "parameter of a define",
        "class",
        "define",
        "function",
        "type",
    ],
)
def test_all_uses(
    before: dict[str, str], new: str, after: dict[str, str], move: tuple[str, str] | None
) -> None:
    changed, done = renamed(before, new)
    assert changed == {path: textwrap.dedent(text).lstrip("\n") for path, text in after.items()}
    assert done.move == move


@pytest.mark.parametrize(
    ("path", "text", "new", "move"),
    [
        ("a/manifests/init.pp", "class a¦ { }", "a::server", "a/manifests/server.pp"),
        ("a/manifests/server.pp", "class a::server¦ { }", "a", "a/manifests/init.pp"),
        ("a/manifests/b.pp", "class a::b¦ { }", "a::c::d", "a/manifests/c/d.pp"),
        ("a/manifests/init.pp", "class a { }\nclass a::b¦ { }", "a::c", None),
        ("site.pp", "class a::b¦ { }", "other", None),
        ("a/manifests/b.pp", "class a::b¦ { }", "A::C", "a/manifests/c.pp"),
        ("site.pp", "class a { class b¦ { } }", "a::c", None),
        (
            "site.pp",
            "define d ($x = 'c') { include $x }\nd { 'x': * => { 'x' => 'a' } }\nclass a¦ { }",
            "b",
            None,
        ),
    ],
)
def test_files_move(path: str, text: str, new: str, move: str | None) -> None:
    _, done = renamed({path: text}, new)
    assert done.move == (None if move is None else (path, move))


INIT = "a/manifests/init.pp"
B = "a/manifests/b.pp"
X = "a/templates/x.epp"


@pytest.mark.parametrize(
    ("files", "new", "reason"),
    [
        # Parameters
        ({INIT: "class a ($p¦) { $q = 1 }"}, "q", f"there is a variable $q: {INIT}:1"),
        ({INIT: "class a ($p¦) { notice($q) }"}, "q", f"there is a variable $q: {INIT}:1"),
        ({INIT: "class a ($p¦) { }"}, "Q", "'Q' is not the name of a parameter"),
        ({INIT: "class a ($p¦) { }"}, "_q", "'_q' is not the name of a parameter"),
        ({INIT: "class a ($p¦) { }"}, "require", "require has a meaning in Puppet"),
        ({INIT: "class a ($p¦) { }"}, "title", "title has a meaning in Puppet"),
        (
            {INIT: "class a ($p¦) { template('a/x.erb') }", "a/templates/x.erb": "x\n<%= @p %>"},
            "q",
            "the template a/templates/x.erb:2 may use @p",
        ),
        (
            {INIT: "class a ($p¦) { template($x) }", "b/templates/x.erb": "<% if @p %><% end %>"},
            "q",
            "the template b/templates/x.erb:1 may use @p",
        ),
        (
            {INIT: "class a ($p¦) { inline_epp('<%= $p %>') }"},
            "q",
            f"the template in {INIT}:1 may use @p",
        ),
        (
            {INIT: "class a ($p¦) { }", "site.pp": "class { $x: p => 1 }"},
            "q",
            "site.pp:1 sets p, perhaps of a: the name is computed",
        ),
        (
            {INIT: "class a ($p¦) { }", "site.pp": "class { ['a', 'b']: p => 1 }"},
            "q",
            "site.pp:1 sets p of a and of others at once",
        ),
        (
            {
                INIT: "class a ($p¦) { }",
                "site.pp": "class { 'a': * => $facts['x'] }\n$x = { 'p' => 1 }",
            },
            "q",
            "class a may get p from the hash at site.pp:1, whose keys are not all known: p at "
            "site.pp:2 may be one of them",
        ),
        (  # the keys of a template's parameters and of other resources are none of its attributes
            {
                INIT: "class a ($p¦) { epp('a/x.epp', { 'p' => 1 }) }",
                "site.pp": "class { 'a': * => $facts['x'] }\nuser { 'u': * => { 'p' => 1 } }\n"
                "$x = { 'p' => 1 }",
            },
            "q",
            "class a may get p from the hash at site.pp:1, whose keys are not all known: p at "
            "site.pp:3 may be one of them",
        ),
        (
            {INIT: "class a ($p¦) { }", "site.pp": 'getvar(\n  "a::${x}")'},
            "q",
            "site.pp:2 computes the name of the parameter",
        ),
        (
            {INIT: "class a ($p¦) { }", "site.pp": 'getvar("a::${x}")'},
            "q",
            "site.pp:1 computes the name of the parameter",
        ),
        (
            {INIT: "class a ($p¦) { }", "d.yaml": "a::q: 1"},
            "q",
            "the data have the key a::q already",
        ),
        (
            {INIT: "class a ($p¦) { }", "d.yaml": "lookup_options:\n  ^a::p: {merge: deep}"},
            "q",
            "lookup_options in d.yaml:2 have a pattern for one of the two names only",
        ),
        (
            {INIT: "class a ($p¦) { }", "a/lib/x.rb": "call_function('lookup', 'a::p')"},
            "q",
            "the Ruby code in a/lib/x.rb:1 has the name",
        ),
        (
            {INIT: "class a ($p¦) { }", "site.pp": "class { 'a': p => "},
            "q",
            "site.pp has a syntax error, and may use the name",
        ),
        (
            {INIT: "class a ($p¦) { }", "b.pp": "class a ($p) { }"},
            "q",
            "several files have a definition of a",
        ),
        (
            {INIT: "class a ($p¦) { }", "site.pp": "$x = 'a::p'"},
            "q",
            "site.pp:1 has the name as a text",
        ),
        (
            {INIT: "class a ($p¦) { }", "b/templates/x.erb": '<%= scope["a::#{x}"] %>'},
            "q",
            "the template b/templates/x.erb computes a name",
        ),
        (
            {
                INIT: "class a ($p¦) { }",
                "a/manifests/b.pp": "class a::b inherits a { }",
                "site.pp": 'getvar("a::b::${x}")',
            },
            "q",
            "site.pp:1 computes the name of the parameter",
        ),
        (
            {INIT: "class a ($p¦) { }", "site.pp": "inline_epp('a::p <%= $a::p %>')"},
            "q",
            "the template in site.pp:1 has the name",
        ),
        # Variables of classes
        (
            {INIT: "class a { $p¦ = 1\ntemplate('a/x.erb') }", "a/templates/x.erb": "<%= @p %>"},
            "q",
            "the template a/templates/x.erb:1 may use @p",
        ),
        (
            {INIT: "class a { $p¦ = 1 }", "d.yaml": "a::p: 1"},
            "q",
            "the data have a key a::p, which is not that of a parameter",
        ),
        (
            {INIT: "class a { [$p¦, $x] = { 'p' => 1, 'x' => 2 } }"},
            "q",
            f"{INIT}:1 takes a value by the name $p",
        ),
        (
            {INIT: "class a { $p¦ = 1 }", "site.pp": "class b { [$p] = Class['a'] }"},
            "q",
            "site.pp:1 takes a value by the name $p",
        ),
        (
            {INIT: "class a { $p¦ = 1 }", B: "class a::b inherits a { $q = $p }"},
            "q",
            f"there is a variable $q: {B}:1",
        ),
        ({INIT: "class a { $p¦ = 1 }"}, "Q", "'Q' is not the name of a variable"),
        (
            {INIT: "class a { }", "site.pp": "notice($a::p¦)"},
            "q",
            "a has no parameter and assigns no variable p",
        ),
        (
            {INIT: "class a ($p¦) { }", "d.yaml": "a::p: [1"},
            "q",
            "d.yaml has a syntax error, and may use the name",
        ),
        # Parameters of templates
        (
            {X: "<% |$p¦| %>", "site.pp": "epp($facts['x'], { 'p' => 1 })"},
            "q",
            "site.pp:1 gives $p to a template whose name is computed",
        ),
        (
            {X: "<% |$p¦| %>", "site.pp": "epp('a/x.epp', $facts['x'])"},
            "q",
            "site.pp:1 computes keys of a hash that the template gets",
        ),
        (
            {X: "<% |$p¦| %>", "site.pp": "epp('a/x.epp', {\n  'p' => 1\n} + $facts['x'])"},
            "q",
            "site.pp:3 computes keys of a hash that the template gets",
        ),
        (
            {X: "<% |$p¦| %>", "a/lib/x.rb": "call_function('epp', 'a/x.epp')"},
            "q",
            "the Ruby code in a/lib/x.rb:1 has the name",
        ),
        ({X: "<% |$p¦, $q| %>"}, "q", f"there is a variable $q: {X}"),
        ({X: "<% |$p¦| %>"}, "Q", "'Q' is not the name of a parameter"),
        ({X: "<% |$p¦| %>"}, "facts", "facts has a meaning in Puppet"),
        # Definitions
        (
            {B: "class a::b¦ { }", "site.pp": "inline_epp('a::b <% include a::b %>')"},
            "a::c",
            "the template in site.pp:1 has the name",
        ),
        (
            {B: "class a::b¦ { }", "a/lib/x.rb": "# 'a::b'\ncall_function('include', 'a::b')"},
            "a::c",
            "the Ruby code in a/lib/x.rb:2 has the name",
        ),
        (
            {"a/types/b.pp": "type A::B¦ = Any", "a/lib/x.rb": "param 'Optional[A::B]', :x"},
            "A::C",
            "the Ruby code in a/lib/x.rb:1 has the name",
        ),
        (
            {B: "class a::b¦ { }", "site.pp": 'include "a::${x}"'},
            "a::c",
            "site.pp:1 computes the name of a class",
        ),
        (
            {B: "class a::b¦ { }", "site.pp": "include lookup('x')", "d.yaml": "x: 'a::%{y}'"},
            "a::c",
            "d.yaml:1 computes the name of a class",
        ),
        ({B: "class a::b¦ { }"}, "b::c", "names in the module a are a or begin with a::"),
        ({B: "class a::b¦ { }"}, "a::B-c", "'a::B-c' is not the name of a class"),
        (
            {B: "class a::b¦ { }", "x.pp": "define a::c { }"},
            "a::c",
            "x.pp has a defined type a::c already",
        ),
        (
            {B: "class a::b¦ { }", "a/manifests/c.pp": ""},
            "a::c",
            "a/manifests/c.pp is there already",
        ),
        (
            {B: "class a::b¦ { }\nclass a::b::c { }"},
            "a::d",
            f"{B} has further definitions, which would have to move",
        ),
        (
            {B: "class a::b { }\nclass a::b::c¦ { }"},
            "a::d",
            f"Puppet would not look for a::d in {B}",
        ),
        (
            {B: "class a::b¦ { notify { $title: } }"},
            "a::c",
            f"{B}:1 uses the name of the class as $title",
        ),
        (
            {B: "class a::b¦ { }", "site.pp": "File <| tag == 'b' |>"},
            "a::c",
            "site.pp:1 selects resources by tags, and the name is one",
        ),
        (
            {B: "class a::b¦ { }", "site.pp": 'lookup("a::b::${x}")', "d.yaml": "a::b::x: 1"},
            "a::c",
            "site.pp:1 computes a name that begins with that of the class",
        ),
        ({"site.pp": "type T¦ = Integer"}, "String", "string has a meaning in Puppet"),
        ({"site.pp": "function f¦() { }"}, "upcase", "upcase is a name of Puppet itself"),
        ({"site.pp": "define f¦() { }"}, "file", "file is a name of Puppet itself"),
        ({"site.pp": "include nothing¦"}, "x", "no open file defines nothing"),
    ],
)
def test_reasons_against_it(files: dict[str, str], new: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        renamed(files, new)
    assert str(refused.value) == reason


@pytest.mark.parametrize(
    ("files", "unseen"),
    [
        (
            {
                B: "class a::b¦ { }",
                "site.pp": (
                    "define d ($x = 'c') { include $x }\ncreate_resources('d', $facts['all'])\n"
                ),
            },
            "site.pp:2 computes the name of a class",
        ),
        (
            {B: "class a::b¦ { }", "site.pp": "include $x"},
            "site.pp:1 computes the name of a class",
        ),
        (
            {B: "class a::b¦ { }", "site.pp": "notice(Class[$x])"},
            "site.pp:1 computes the name of a class",
        ),
        (
            {B: "class a::b¦ { }", "site.pp": "include lookup('x')"},
            "site.pp:1 looks up the name of a class, and no file of data has the key x",
        ),
        (
            {B: "define a::b¦ () { }", "site.pp": "create_resources($x, {})"},
            "site.pp:1 computes the name of a defined type",
        ),
        (
            {B: "class a::b¦ { }", "site.pp": "include $facts['role']"},
            "site.pp:1 computes the name of a class",
        ),
        (
            {B: "class a::b¦ { }", "site.pp": "create_resources('class', $facts['all'])"},
            "site.pp:1 computes the name of a class",
        ),
        (
            {B: "class a::b¦ { }", "site.pp": "notice(getvar($facts['x']))"},
            "site.pp:1 computes the name of a variable or key, perhaps of the class",
        ),
        (
            {B: "class a::b¦ { }", "site.pp": "File <| tag == $facts['x'] |>"},
            None,
        ),
        (
            {B: "class a::b¦ { }", "site.pp": "File <| tag == $x |>"},
            "site.pp:1 selects resources by a tag that is computed",
        ),
        ({B: "class a::b¦ { }", "site.pp": 'include "role::${x}"'}, None),
        ({B: "class a::b¦ { }", "site.pp": 'include "a::b::${x}"'}, None),
        ({B: "class a::b¦ { }", "site.pp": "include 'a::b', 'a'"}, None),
    ],
)
def test_places_that_are_not_seen(files: dict[str, str], unseen: str | None) -> None:
    after, done = renamed(files, "a::c")
    assert list(done.unseen) == ([] if unseen is None else [unseen])
    assert "a::c" in after[B]
