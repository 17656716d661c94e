"""What the kernel says about itself, wherever it runs: in a process or in a browser."""

from __future__ import annotations

from typing import Any

from puppet_repl.base.version import __version__

PUPPET_VERSION = "8.11"
IMPLEMENTATION = "puppet-repl"
BANNER = f"puppet-repl {__version__}: the Puppet {PUPPET_VERSION} language in Python"
HELP_LINKS = (
    {"text": "Puppet language", "url": "https://www.puppet.com/docs/puppet/8/lang_summary"},
    {"text": "Puppet functions", "url": "https://www.puppet.com/docs/puppet/8/function"},
)
LANGUAGE_INFO = {
    "name": "puppet",
    "version": PUPPET_VERSION,
    "mimetype": "text/x-puppet",
    "file_extension": ".pp",
    "pygments_lexer": "puppet-cell",
    # The language of the labextension; without it JupyterLab takes its own, by the MIME type.
    "codemirror_mode": {"name": "puppet-repl", "mime": "text/x-puppet"},
}


def kernel_info(protocol: str, features: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the content of a kernel_info_reply: with the version of the protocol, and what of it
    the kernel has beyond that.
    """
    return {
        "protocol_version": protocol,
        "implementation": IMPLEMENTATION,
        "implementation_version": __version__,
        "language_info": LANGUAGE_INFO,
        "banner": BANNER,
        "help_links": HELP_LINKS,
        "supported_features": list(features),
    }
