"""The rows of the page on differences: the cases that are decided by the specification.

Some are about code that Puppet refuses, or that ends in an error inside of Puppet, and has a value
here. Such code gives a warning: a check of a module must not be green here and fail on a server.
``warn_of_difference(name)`` warns from wherever the answer is made.
"""

from __future__ import annotations

import sys

from puppet_repl.base.checked import CHECKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

    from puppet_repl.base.profiles import Profile


class Difference:
    """One row: its subject, the answer of Puppet 8.11, and the answer here.

    ``fails`` is the reason in the warning that Puppet ends in an error. ``does`` is for the warning
    that Puppet does something else; a row has one of them at most.
    """

    __slots__ = ("does", "fails", "here", "name", "puppet", "what")

    def __init__(
        self,
        name: str,
        what: str,
        puppet: str,
        here: str,
        *,
        fails: str = "",
        does: str = "",
    ) -> None:
        self.name = name
        self.what = what
        self.puppet = puppet
        self.here = here
        self.fails = fails
        self.does = does

    @property
    def warning(self) -> str:
        """The warning about code that gets an answer here, '' if the row has none."""
        if self.fails:
            return f"{ENDS_IN_ERROR}: {self.fails}"
        return self.does and f"{_DOES_ELSE}: {self.does}"


_ROWS = (
    Difference(
        "interpolated_boolean",
        '`"${true}"`',
        "an internal error",
        "`true`",
        fails="true or false in ${}",
    ),
    Difference(
        "smallest_integer",
        "the literal `-9223372036854775808`",
        "an error: out of range",
        "the smallest Integer",
        fails="the number without its sign is out of range",
    ),
    Difference(
        "node_with_lookaround",
        "a node definition whose regular expression has `(?:`, `(?=`, `(?!` or `(?<`, as in"
        " `node /^app(?!x)/`",
        "`Cannot find definition Node` where the node matches (OpenVox accepts it)",
        "the definition applies",
        fails="it does not find this node definition again, because of (?...)",
    ),
    Difference(
        "node_of_another_name",
        "the same, where another definition matches the name that Puppet makes of the expression",
        "the body of that other definition (in OpenVox its own)",
        "its own body",
        does="it runs the body of another node definition, because of (?...)",
    ),
    Difference(
        "invalid_pattern",
        "`Regexp['(']`: a type with an invalid expression",
        "an error where the type is printed or a value is compared with it",
        "no value matches it",
        fails="the type Regexp of an expression that is invalid",
    ),
    Difference(
        "nan",
        "`0.0 / 0.0`",
        "NaN",
        "an error, like every division by zero",
    ),
    Difference(
        "fraction_of_time",
        "`Timespan(1.5) == 1`, `Timespan(1.9) > 1`",
        "true and false: the fraction is dropped",
        "compared exactly",
    ),
    Difference(
        "alias_read_again",
        "an alias that refers to itself, and not through a Variant: `type T = Optional[Array[T]]`",
        "`stack level too deep` where its name is evaluated once more",
        "the type",
        fails="the name of a type alias that refers to itself, but not in a Variant, is read again",
    ),
    Difference(
        "zeros_of_fraction",
        "`%L` and `%N` in formats of times",
        "left without leading zeros, so that 5 ns look like .5 s",
        "with zeros",
    ),
    Difference(
        "float_in_timespan_type",
        "`Timespan[1.5]` as text",
        "digits of a Float: `0-00:00:01.500000000`",
        "`0-00:00:01.5`",
    ),
    Difference(
        "infinite_time_type",
        "`Timespan[1e300]`, `Timestamp[1e300]`",
        "types that cannot be printed",
        "an error: Infinity",
    ),
    Difference(
        "ends_of_range_in_alias",
        "ends of `Integer[a, b]` and `Float[a, b]` in a type alias that are not numbers of that"
        " kind",
        "are not checked: `Integer[1, 2.5]`, or errors of Ruby",
        "an error: no valid type specification",
    ),
    Difference(
        "time_without_year",
        "`%s` when a time is read",
        "an internal error",
        "seconds since 1970",
        fails="the format of a Timestamp has no year",
    ),
    Difference(
        "precision_of_program_text",
        "`%.2p` of a Float",
        "the text is cut off: `1.`",
        "has no effect on `%p`",
    ),
    Difference(
        "program_text_of_time",
        "`%p` of Timespan and Timestamp",
        "an address of an object",
        "`Timespan('...')`, `Timestamp('...')`",
    ),
    Difference(
        "dotted_key_of_number",
        "`lookup('k.x')` where `k` is a number",
        "an internal error",
        "the error of a string: a hash-like object was expected",
    ),
    Difference(
        "text_after_type_set",
        "the text of a type after that of a type set",
        "names as inside of that set, for every type that is printed until the process ends",
        "its own name",
    ),
    Difference(
        "ruby_method",
        "the text of a `RubyMethod`",
        "`RubyMethod({})`",
        "its attributes",
    ),
    Difference(
        "tree_of_type",
        "`tree_each` into a type",
        "objects without attributes: `Pcore::StructElement({})`",
        "their attributes",
    ),
    Difference(
        "tree_of_iterator",
        "`tree_each` of what `step` or `reverse_each` returns",
        "an internal error at the first value",
        "a tree whose root is the iterator",
        fails="tree_each of an iterator",
    ),
    Difference(
        "slice_of_tree",
        "`slice` of what `tree_each` returns, or of every n-th value of it",
        "an internal error",
        "the slices",
        fails="slice of the values of tree_each",
    ),
    Difference(
        "annotated_type",
        "`annotate` of a type whose definition has no annotations",
        "an internal error",
        "it is annotated",
        fails="annotate of a type whose definition has no annotations",
    ),
    Difference(
        "equal_annotated_arrays",
        "annotations of equal arrays",
        "each array has its own",
        "equal arrays may be one value and share them: literals of one program, `[]`",
    ),
    Difference(
        "overridden_attribute",
        "an instance of an Object type that overrides an attribute of its parent with a default"
        " or a constant, if that is no longer a required one",
        "an internal error",
        "the instance",
        fails="an instance whose type overrides a required attribute with an optional one",
    ),
    Difference(
        "circle_of_type_sets",
        "type sets that refer to each other in a circle",
        "`stack level too deep`",
        "a reference that cannot be resolved",
    ),
    Difference(
        "alias_of_itself",
        "an alias that leads back to itself in a way that Puppet does not remember: `type T ="
        " Optional[Variant[T, Array[T]]]`, `type T = Variant[Iterable[T], Integer]`",
        "`stack level too deep` where it is compared with types",
        "what its other types say",
        fails="a question about a type alias that refers to itself does not end",
    ),
    Difference(
        "version_range",
        "a version range where Ruby's library fails: `>=1.0.0 || >=2.0.0`, `<=x`, three parts of"
        " which two have nothing in common",
        "an internal error",
        "the range that is written",
        fails="a version range that its library cannot read",
    ),
    Difference(
        "pattern_of_uri",
        "what a URI has to match, in messages (`URI['a']`) and in `Pcore::TypeSetType`",
        "the two kilobytes of Ruby's expression",
        "its beginning: a scheme and a colon",
    ),
    Difference(
        "lookup_context",
        "`Puppet::LookupContext.new('m')`",
        "an internal error",
        "a context that nothing uses",
        fails="an instance of Puppet::LookupContext",
    ),
    Difference(
        "place_in_data_file",
        "a data file that is not UTF-8",
        "always line 1, column 1",
        "its line and column",
    ),
    Difference(
        "place_in_template",
        "an ERB template that fails inside of Ruby's library or Puppet",
        "the message names a file of these",
        "names the line of the template",
    ),
    Difference(
        "eyaml_plugin",
        "`ENC[GPG,...]` without the plugin of hiera-eyaml",
        "an internal error",
        "an error of the lookup, with key and file",
    ),
)
ENDS_IN_ERROR = "Puppet 8.11 ends in an error here"
_DOES_ELSE = "Puppet 8.11 does something else here"
DIFFERENCES = {row.name: row for row in _ROWS}


def warning_of(name: str, profile: Profile) -> str:
    """Return the warning about code that fails in Puppet, or has another result there.

    It is '' for another implementation: none is known to fail.
    """
    return DIFFERENCES[name].warning if profile.product == "Puppet" else ""


def is_warning_of_difference(text: str) -> bool:
    """Tell whether a message in a log is a warning of a difference."""
    return text.startswith((ENDS_IN_ERROR, _DOES_ELSE))


def warn_of_difference(name: str) -> None:
    """Warn that Puppet ends in an error where the running Puppet code gets an answer.

    It may be called from wherever the answer is made. Without running Puppet code it does nothing,
    unless parameters of a class or define are checked: then the place is that of the resource.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        program = frame.f_globals.get("__puppet__")
        if program is not None:
            node = program.node_of(frame.f_code, frame.f_lasti)
            source = program.source
            place = (frame.f_lineno, None) if node is None else source.position(node.at)
            program.context.warn_of_difference(name, source, place)
            return
        frame = frame.f_back
    checked = CHECKED.get()
    if checked is not None:
        context, resource = checked
        if resource.source is not None and resource.line is not None:
            context.warn_of_difference(name, resource.source, (resource.line, None))
