"""The rules that need the other files of a module or a control repository."""

from __future__ import annotations

from puppet_repl.tools.advice.rules import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_METADATA = '{"name": "me-%s", "version": "1.0.0", "dependencies": []}'
_APP = _METADATA % "app"
_PORT = "type Web::Port = Integer[1, 65535]"
_SITE = "define web::site(Web::Port $port, Boolean $tls = true) { }"


class RepositoryRule(Rule):
    """A rule whose example is the content of a file, ``path``, that has other ``files`` beside it.

    The files are those of modules that a directory ``modules`` holds, by their paths.
    """

    __slots__ = ("files", "path")

    def __init__(
        self,
        name: str,
        text: str,
        example: str,
        instead: str,
        files: Mapping[str, str],
        path: str = "app/manifests/init.pp",
    ) -> None:
        super().__init__(name, text, example, instead, in_inputs=False)
        self.files = files
        self.path = path


REPOSITORY_RULES = (
    RepositoryRule(
        "missing_file",
        "a file that the module does not have",
        "class app { file { '/etc/motd': source => 'puppet:///modules/app/mtod' } }",
        "class app { file { '/etc/motd': source => 'puppet:///modules/app/motd' } }",
        {"app/files/motd": "Hello"},
    ),
    RepositoryRule(
        "missing_parameter",
        "a resource of a defined type, or a template in EPP, without a value for a parameter that "
        "has no default",
        "class app { web::site { 'shop': tls => true } }",
        "class app { web::site { 'shop': port => 443 } }",
        {"web/manifests/site.pp": _SITE, "web/types/port.pp": _PORT},
    ),
    RepositoryRule(
        "missing_template",
        "a template that the module does not have",
        "class app { file { '/etc/app': content => epp('app/apps.epp') } }",
        "class app { file { '/etc/app': content => epp('app/app.epp') } }",
        {"app/templates/app.epp": "Hello"},
    ),
    RepositoryRule(
        "parameter_type",
        "a literal that the type of a parameter does not allow, also as the default of a class or "
        "defined type",
        "class app { web::site { 'shop': port => '443' } }",
        "class app { web::site { 'shop': port => 443 } }",
        {"web/manifests/site.pp": _SITE, "web/types/port.pp": _PORT},
    ),
    RepositoryRule(
        "undeclared_dependency",
        "a module that code uses and metadata.json does not name, once for each such module",
        "class app { include ntp }",
        "class app { include app::time }",
        {"app/metadata.json": _APP, "app/manifests/time.pp": "class app::time { }"},
    ),
    RepositoryRule(
        "unknown_class",
        "a class that the module does not have",
        "class app { include web::instal }",
        "class app { include web::install }",
        {"web/manifests/install.pp": "class web::install { }"},
    ),
    RepositoryRule(
        "unknown_class_variable",
        "a variable that a class of a module does not set, nor one that it inherits from",
        "class app { include web notice($web::prot) }",
        "class app { include web notice($web::port) }",
        {"web/manifests/init.pp": "class web(Integer $port = 80) { }"},
    ),
    RepositoryRule(
        "unknown_function",
        "a function that the module does not have, or that neither Puppet nor any module has",
        "class app { notice(web::adress('shop')) }",
        "class app { notice(web::address('shop')) }",
        {"web/functions/address.pp": "function web::address(String $x) >> String { $x }"},
    ),
    RepositoryRule(
        "unknown_parameter",
        "a parameter that a class, a defined type, a resource type or a template of a module does "
        "not have",
        "class app { web::site { 'shop': port => 443, ssl => true } }",
        "class app { web::site { 'shop': port => 443, tls => true } }",
        {"web/manifests/site.pp": _SITE, "web/types/port.pp": _PORT},
    ),
    RepositoryRule(
        "unknown_type",
        "a data type or resource type that the module does not have, or that neither Puppet nor "
        "any module has",
        "class app(Web::Prot $port) { notice($port) }",
        "class app(Web::Port $port) { notice($port) }",
        {"web/types/port.pp": _PORT},
    ),
    RepositoryRule(
        "wrong_argument",
        "a call with too few or too many arguments, or with a literal that the function does not "
        "take. Functions in Ruby of modules are left out",
        "class app { notice(web::address('shop', 443)) }",
        "class app { notice(web::address('shop')) }",
        {"web/functions/address.pp": "function web::address(String $x) >> String { $x }"},
    ),
)
"""The rules by name."""
