"""Files of modules and control repositories, for tests of what a directory belongs to."""

from __future__ import annotations

import json


def metadata(name: str, *dependencies: str) -> str:
    """Return a metadata.json that Puppet accepts."""
    return json.dumps(
        {
            "name": name,
            "version": "1.0.0",
            "author": "me",
            "license": "Apache-2.0",
            "summary": "",
            "source": "",
            "dependencies": [{"name": each} for each in dependencies],
        }
    )
