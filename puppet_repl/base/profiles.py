"""The profiles of the language: in what the implementations differ that Puppet code runs on.

This table is the only place that tells the profiles apart. All else asks a profile for one of its
differences, never for its name.
"""

from __future__ import annotations

DEFAULT_LANGUAGE = "puppet-8"
_PUPPET_PAGES = "https://puppet.com/docs/puppet"
_OPENVOX_PAGES = "https://docs.openvoxproject.org/openvox/latest"


class Profile:
    """The values of one profile for each difference.

    ``title`` names the language, ``stands_for`` the releases that this profile imitates.
    ``product`` is the name of the implementation in messages, ``version`` the version in facts;
    ``implementation`` is the value of the fact ``implementation``, or None. ``regsubst_encoding``
    tells whether regsubst() takes an encoding, ``environment_data_provider`` whether
    environment.conf may choose where data come from. ``without_types`` are the resource types whose
    modules the agent does not bring along; ``settings`` are the defaults that differ from those of
    Puppet 8, None for a setting that is gone. Warnings about the older lookup functions refer to
    one of the pages, refusals of methods in functions of the older kind to the other.
    """

    __slots__ = (
        "deprecations_page",
        "environment_data_provider",
        "implementation",
        "legacy_functions_page",
        "name",
        "product",
        "regsubst_encoding",
        "settings",
        "stands_for",
        "title",
        "version",
        "without_types",
    )

    def __init__(
        self,
        name: str,
        *,
        title: str,
        stands_for: str,
        product: str,
        version: str,
        implementation: str | None,
        regsubst_encoding: bool,
        environment_data_provider: bool,
        without_types: frozenset[str],
        settings: dict[str, object],
        deprecations_page: str,
        legacy_functions_page: str,
    ) -> None:
        self.name = name
        self.title = title
        self.stands_for = stands_for
        self.product = product
        self.version = version
        self.implementation = implementation
        self.regsubst_encoding = regsubst_encoding
        self.environment_data_provider = environment_data_provider
        self.without_types = without_types
        self.settings = settings
        self.deprecations_page = deprecations_page
        self.legacy_functions_page = legacy_functions_page


_PROFILES = (
    Profile(
        "puppet-8",
        title="Puppet 8",
        stands_for="Puppet 8.11 and OpenVox 8",
        product="Puppet",
        version="8.11.0",
        implementation=None,
        regsubst_encoding=True,
        environment_data_provider=True,
        without_types=frozenset(),
        settings={},
        deprecations_page=f"{_PUPPET_PAGES}/8.11/deprecated_language.html",
        legacy_functions_page=f"{_PUPPET_PAGES}/latest/functions_refactor_legacy.html",
    ),
    Profile(
        "openvox-9",
        title="OpenVox 9",
        stands_for="OpenVox 9",
        product="OpenVox",
        version="9.0.0",
        implementation="openvox",
        regsubst_encoding=False,
        environment_data_provider=False,
        without_types=frozenset(("zone",)),
        settings={
            "configprint": None,
            "data_binding_terminus": None,
            "environment_data_provider": None,
            "pluginsync": None,
            "http_user_agent": "Puppet/9.0.0 Ruby/3.1.2-p20 (x86_64-linux-gnu)",
            "preprocess_deferred": True,
            "reports": "none",
        },
        deprecations_page=f"{_OPENVOX_PAGES}/deprecated_language.html",
        legacy_functions_page=f"{_OPENVOX_PAGES}/functions_refactor_legacy.html",
    ),
)
PROFILES = {profile.name: profile for profile in _PROFILES}
# The names of the profiles, the default first.
LANGUAGES = tuple(PROFILES)
