"""Files that a page gives its worker, as Jupyter's contents service describes them."""

from __future__ import annotations

import base64
import json
import os
from typing import Any


def write_files(files: object, directory: object) -> str | None:
    """Write files, then make ``directory`` the working directory, unless it is None.

    Return what is wrong, or None. Each file is an object with a ``path``, a ``format`` ('text',
    'base64' or 'json') and its ``content``. Nothing is written when one of them is not.
    """
    if not isinstance(files, list) or not isinstance(directory, str | None):
        return "files needs 'files', a list; 'directory' has to be a string"
    contents: list[tuple[str, bytes]] = []
    for file in files:
        content = _content(file)
        if content is None:
            return "a file is an object with 'path', 'format' (text, base64, json) and 'content'"
        contents.append((file["path"], content))
    try:
        for path, content in contents:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            with open(path, "wb") as target:
                target.write(content)
        if directory is not None:
            os.makedirs(directory, exist_ok=True)
            os.chdir(directory)
    except OSError as error:
        return str(error)
    except ValueError as error:  # a NUL in it
        return f"a path cannot be used: {error}"
    return None


def _content(file: Any) -> bytes | None:
    """Return the bytes of a file, None for what is none."""
    if not isinstance(file, dict) or not isinstance(file.get("path"), str):
        return None
    content = file.get("content")
    if file.get("format") == "json":
        return json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass")
    if not isinstance(content, str):
        return None
    if file.get("format") == "text":
        return content.encode("utf-8", "surrogatepass")
    if file.get("format") == "base64":
        try:
            # The contents service breaks it into lines.
            return base64.b64decode("".join(content.split()), validate=True)
        except ValueError:
            return None
    return None
