"""The documentation of a key of the data: which files have it. Nothing is looked up for it."""

from __future__ import annotations

from puppet_repl.tools.inspection.documentation import Detail, Documentation
from puppet_repl.tools.inspection.names import MAX_CHARACTERS, MAX_PARTS, shown_path
from puppet_repl.tools.inspection.values import short_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session.symbols import SessionSymbols

# Of the files that have a key.
_MAX_PLACES = 8


def document_data_key(known: SessionSymbols, key: str) -> Documentation | None:
    """Return where a key of the data is; None in a session without an environment.

    Of a key with dots it is the first part, whose value has the others.
    """
    root = key.partition(".")[0]
    if known.session.environment is None or not root:
        return None
    places = known.session.data_keys.places(root)
    if not places:
        return Documentation(key, "data key", "No data file that counts for this node has it.")
    details = []
    for place in places[:_MAX_PLACES]:
        value = short_value(place.value, MAX_CHARACTERS, MAX_PARTS)
        where = f"{place.layer}, level {place.level}"
        shown = f"{value}  ({where})"
        details.append(Detail(shown_path(place.path), shown, is_name=True, is_code=True))
    text = (
        "The value of the first file is taken, unless lookup_options or a merge strategy put the "
        "files together. Values are shown as they are in the files, before interpolation."
    )
    if len(places) > _MAX_PLACES:
        text += f" {len(places) - _MAX_PLACES} more files have the key."
    return Documentation(key, "data key", text, details=tuple(details))
