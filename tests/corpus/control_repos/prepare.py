"""Lay out the control repositories that are compiled, from trees of their files.

``python -m tests.corpus.control_repos.prepare SOURCES OUT``: SOURCES holds these directories.

=====================  ===========================================================================
``ocf``                github.com/ocf/puppet at 60f8aa325bce
``ocf-vendor``         the modules of its Puppetfile, by name, apache at c03607fd3999
``ocf-core``           the modules that Puppet's packages hold (cron_core, mount_core and so on)
``wikimedia``          github.com/wikimedia/operations-puppet at d3590882967a
``wikimedia-private``  github.com/wikimedia/labs-private at 8caab40d7a79
=====================  ===========================================================================

What is out of reach gets stand-ins, the same for Puppet and for this project: the directories
``ocf`` and ``wikimedia`` beside this file are laid over the trees, and EDITS are made in files.
The stand-ins are the DNS, LDAP, PuppetDB, programs of the server, and data that are private.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
_FUNCTIONS = "modules/wmflib/lib/puppet/functions/wmflib"
PASSWORDS = {
    "geoip": ("license_key_ipinfo", "user_id_ipinfo"),
    "labsdbaccounts": ("db_user",),
    "misc::scripts": ("mysql_cumin_pass", "mysql_beta_root_pass"),
    "mysql::dump": ("pass", "stats_user", "stats_pass"),
    "mysql::phabricator": ("phd_user", "phd_pass"),
}
"""Variables that the public copy of Wikimedia's passwords does not have, by class."""
EDITS = {
    "wikimedia": {
        # Ruby 3.2, the one of Puppet 8, has no File.exists?
        "modules/wmflib/lib/puppet/functions/wmflib/expand_path.rb": (
            "File.exists?",
            "File.exist?",
        ),
        # Programs of the server.
        "modules/systemd/manifests/timer.pp": ("generate(", "stand_in::generate("),
        "modules/icinga/manifests/naggen.pp": ("generate(", "stand_in::generate("),
    },
    "ocf": {},
}
_IGNORED = shutil.ignore_patterns(".git", "spec", "*.png", "*.jpg", "*.deb", "*.gz")


def prepare(sources: Path, out: Path) -> None:
    """Write the environments ``ocf`` and ``wikimedia`` below a directory."""
    for name in EDITS:
        shutil.rmtree(out / name, ignore_errors=True)
        shutil.copytree(sources / name, out / name, symlinks=True, ignore=_IGNORED)
    for directory in ("vendor", "core"):
        made = out / "ocf" / directory
        shutil.copytree(sources / f"ocf-{directory}", made, ignore=_IGNORED)
    shutil.copytree(sources / "wikimedia-private", out / "wikimedia" / "private", symlinks=True)
    # The sandbox sees the directory hieradata of an environment, not others that hiera.yaml names;
    # and the directory files of a module, not others that a function in Ruby reads.
    wikimedia = out / "wikimedia"
    shutil.move(wikimedia / "private" / "hieradata", wikimedia / "hieradata" / "private")
    secret = wikimedia / "private" / "modules" / "secret"
    shutil.move(secret / "secrets", secret / "files")
    (out / "ocf" / "hieradata" / "private.yaml").unlink()  # a link to what only the server has
    for name, edits in EDITS.items():
        shutil.copytree(HERE / name, out / name, dirs_exist_ok=True)
        for file, (old, new) in edits.items():
            path = out / name / file
            path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    _add_passwords(out / "wikimedia/private/modules/passwords/manifests/init.pp")


def _add_passwords(manifest: Path) -> None:
    text = manifest.read_text("utf-8")
    for name, variables in PASSWORDS.items():
        start = f"class passwords::{name} {{\n"
        added = "".join(f"    ${variable} = 'stand-in'\n" for variable in variables)
        text = text.replace(start, start + added)
    manifest.write_text(text, "utf-8")


if __name__ == "__main__":
    prepare(Path(sys.argv[1]), Path(sys.argv[2]))
