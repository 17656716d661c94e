"""The rules for files that are neither manifests nor data, and the names of all rules."""

from __future__ import annotations

from puppet_repl.base.matching import nearest
from puppet_repl.tools.advice.rules import RULE_OF, RULES
from puppet_repl.tools.validation.data_rules import DATA_RULES
from puppet_repl.tools.validation.rules import REPOSITORY_RULES

FILE_RULES = {
    "all files": {
        "unknown_rule": "a comment that switches off a rule that does not exist",
    },
    "functions/, types/, plans/": {
        "autoloader_layout": "a file without the one definition that it is named for",
    },
    "metadata.json": {
        "json_syntax": "text that is not JSON, or no text",
        "duplicate_key": "a key that is there twice; in YAML, too",
        "required_fields": "a field that Puppet or the Forge needs and that is missing",
        "metadata_fields": "a bad name, version or URL, or a value of the wrong type",
        "dependencies": "a dependency without a name, with versions that cannot be read, or twice",
        "strict_dependencies": "a dependency without versions, or without an upper limit",
        "requirements": "a requirement of Puppet or OpenVox without versions, or with bad ones",
        "operatingsystem_support": "a list of systems in another form",
        "license": "a license that SPDX does not know",
        "deprecated_fields": "a field that the Forge reads no more",
        "newline_at_end": "no newline at the end",
    },
    "tasks/": {
        "task_metadata": "metadata in another form than that of the specification",
        "task_type": "a bad type of a parameter, or a default of another type",
        "task_executable": "no executable, several ones, or a missing implementation",
        "task_files": "files that Puppet does not find or does not serve",
        "task_name": "a file that Puppet ignores for its name",
    },
    "plans/*.yaml": {
        "yaml_syntax": "text that is not YAML",
        "yaml_plan": "a plan that Bolt does not load",
        "plan_type": "a type of a parameter that cannot be read",
        "plan_code": "Puppet code that cannot be read",
    },
    "templates/*.erb, lib/*.rb": {
        "erb_syntax": "code that Ruby's parser refuses",
        "erb_tag": "a tag that is never closed",
        "ruby_syntax": "code that Ruby's parser refuses, in a Puppetfile, too",
    },
    "environment.conf": {
        "environment_setting": "settings and sections that Puppet ignores",
        "missing_path": "a path to nothing that no Puppetfile installs",
    },
    "Puppetfile": {
        "puppetfile_declaration": "a declaration that r10k does not know",
        "puppetfile_duplicate": "a module that is there twice",
        "puppetfile_module": "a name or arguments that r10k refuses",
        "puppetfile_version": "a version that the Forge does not have",
        "puppetfile_ref": "a repository without a branch, tag or commit",
        "puppetfile_option": "an option without effect, or two that exclude each other",
        "puppetfile_path": "a path out of the environment",
    },
    ".fixtures.yml": {
        "fixtures": "a file that puppetlabs_spec_helper does not read",
        "fixtures_key": "a key without a meaning",
        "fixtures_repo": "two fixtures from one repository, of which only the last is made",
        "fixtures_ref": "a version that YAML reads as another number",
    },
}
"""Sentences about the rules, by kind of files and by name."""

TEXTS = {
    **{name: text for rules in FILE_RULES.values() for name, text in rules.items()},
    **{rule.name: rule.text for rule in (*DATA_RULES, *REPOSITORY_RULES, *RULES)},
}
"""Sentences about all rules by their names; rules for code in Puppet come last."""


def rule_named(name: str) -> str | None:
    """Return the rule that a name means, which may be one of puppet-lint; None for no rule."""
    rule = RULE_OF.get(name)
    if rule is not None:
        return rule.name
    return name if name in TEXTS else None


def ignored_rule(name: str) -> str:
    """Return the rule that a user wants to leave out. Raises ValueError for a name of none."""
    rule = rule_named(name)
    if rule is None:
        near = nearest(name, [*TEXTS, *RULE_OF])
        raise ValueError(f"no rule '{name}'" + (f"; did you mean {near}?" if near else ""))
    return rule
