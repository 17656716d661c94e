"""What ``puppet lookup`` is asked about the control repository."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Request = dict[str, Any]

# Short name -> name of the node, file of its facts, extensions of its certificate.
MACHINES: dict[str, tuple[str, str, dict[str, str]]] = {
    "web": ("web01.example.com", "facts/web01.example.com.yaml", {"pp_role": "web"}),
    "db": ("db01.example.com", "facts/db01.example.com.yaml", {"pp_role": "db"}),
    "worker": ("worker.example.com", "facts/worker.example.com.yaml", {}),
    "windows": ("win01.example.com", "facts/win01.example.com.yaml", {"pp_role": "web"}),
    "json": ("json01.example.com", "facts/json01.example.com.json", {}),
    "bare": ("bare", "facts/bare.yaml", {}),
}
_TRAPS = (
    "array date empty invalid object options precedence regexp set special symbol tab text twice"
)
MACHINES |= {
    trap: ("worker.example.com", f"facts/traps/{trap}.yaml", {}) for trap in _TRAPS.split()
}

# Machines -> keys: each key is looked up on each of the machines, on those with an asterisk
# with --explain also.
_KEYS = (
    (
        "web* db* worker bare",
        "greeting profile::base::motd profile::base::packages profile::base::users"
        " profile::base::admins profile::web::port profile::web::hosts profile::db::settings"
        " company::limits contacts firewall sudo numbers clock::servers inter::role not::there",
    ),
    (
        "db*",
        "profile::db::port profile::db::password maintenance clock::restrict clock::driftfile",
    ),
    (
        "web*",
        "profile::db::password profile::web::key secret::inside secret::hash secret::unicode"
        " secret::broken secret::otherkind secret::plain secret::token secret::list"
        " secret::hash.plain secret::hash.list.1 service::ports service::name company::name"
        " undefined::here first::wins sudo::deep maintenance os::codename os::manager"
        " team::network sites sites.vienna sites.vienna.racks sites.oslo.manager sites.rome"
        " sites.rome.racks site::default site::manager site::ratio",
    ),
    (
        "web*",
        "inter::fact inter::top inter::trusted inter::lookup"
        " inter::double inter::hiera inter::alias inter::alias::array inter::alias::number"
        " inter::alias::inside inter::alias::missing inter::scope inter::literal inter::empty"
        " inter::colons inter::quotes inter::percent inter::array::whole inter::hash::whole"
        " inter::chain inter::missing inter::unknown::fact inter::unknown::variable"
        " inter::unknown::class inter::unknown::method inter::dotted inter::dotted::missing"
        " inter::keys inter::nested inter::default inter::spaces inter::twice inter::number"
        " inter::escaped inter::in::fact",
    ),
    (
        "web*",
        "a.b 'a.b' deep deep.list deep.list.0 deep.list.1.one deep.list.one deep.list.9"
        " deep.'a.b' deep.0 deep.nothing deep.nothing.more numbers.0 kind::string.0"
        " kind::integer.x with-dash ::leading leading",
    ),
    ("web*", "cycle::one cycle::self"),
    # Explained they tell the server's name, and addresses of objects in memory.
    ("web", "inter::server inter::environment convert::hex convert::array"),
    (
        "web",
        "kind::string kind::integer kind::negative kind::octal kind::hex kind::float"
        " kind::exponent kind::true kind::yes kind::null kind::empty::string kind::empty::array"
        " kind::empty::hash kind::multiline kind::folded kind::quoted kind::unicode kind::mixed"
        " kind::merged kind::colon kind::dash kind::time",
    ),
    (
        "web*",
        "convert::number convert::float convert::flag convert::timespan"
        " convert::version convert::failure convert::unknown convert::merged"
        " wrong::merge wrong::options",
    ),
    (
        "web*",
        "inventory::racks inventory::region inventory::owner inventory::modules computed::upper"
        " computed::where computed::number computed::undef computed::structure"
        " computed::structure.two.three computed::failure computed::explained networks"
        " networks.office networks.office.v4 networks.lab.name networks.attic"
        " networks.office.v6 vault::password vault::elsewhere vault::sealed vault::nothing",
    ),
    (
        "web*",
        "clock::panic clock::restrict clock::interval clock::driftfile clock::only::here"
        " clock::reference clock::fallback clock::stratum clock::missing vhost::defaults"
        " vhost::defaults.docroot vhost::index vhost::user vhost::timeouts vhost::timeouts.read"
        " vhost::modes rogue::key nowhere::key lookup_options lookup_options.numbers",
    ),
    ("worker*", "worker::threads worker::queue"),
    ("json", "greeting profile::base::packages service::ports inventory::racks clock::fallback"),
    ("windows", "profile::base::motd os::manager clock::servers vhost::user firewall"),
    ("bare*", "found::without::name clock::fallback inventory::region"),
    (
        "array* date* empty* invalid object options* regexp* set symbol* tab text* twice",
        "greeting",
    ),
    ("symbol", "trap::symbol"),
    ("twice", "trap::twice"),
    ("options", "trap::options"),
    ("precedence", "trap::list"),
    ("special", "trap::nan trap::infinity trap::binary trap::big greeting"),
)

# Further options -> keys, each on the machine "web".
_OPTIONS: tuple[tuple[list[str], str], ...] = (
    (["--merge", "first"], "profile::base::packages firewall"),
    (["--merge", "unique"], "greeting numbers sudo profile::web::hosts"),
    (["--merge", "hash"], "profile::base::users firewall numbers"),
    (["--merge", "deep"], "profile::base::users firewall sudo clock::servers"),
    (["--merge", "deep", "--knock-out-prefix=--"], "sudo sudo::deep"),
    (["--merge", "deep", "--sort-merged-arrays"], "numbers sudo"),
    (["--merge", "deep", "--merge-hash-arrays"], "firewall"),
    (["--merge", "reverse_deep"], "sudo"),
    (["--merge", "unconstrained_deep"], "firewall"),
    (["--merge", "sideways"], "sudo"),
    (["--merge", "hash", "--sort-merged-arrays"], "numbers"),
    (["--knock-out-prefix=--"], "sudo"),
    (["--type", "Integer"], "kind::integer kind::string kind::null not::there"),
    (["--type", "Array[String]"], "profile::base::packages numbers"),
    (["--type", "Profile::Port"], "profile::web::port"),
    (["--type", "Sensitive[String]"], "secret::token"),
    (["--type", "Array["], "numbers"),
    (["--type", "Nonsense"], "numbers"),
    (["--default", "fallback"], "not::there greeting computed::undef deep.nothing.more"),
    (["--default", ""], "not::there"),
    (["--default", "17", "--type", "Integer"], "not::there"),
    (["--explain-options"], "profile::base::users numbers clock::servers greeting not::there"),
    (["--explain-options"], "vhost::defaults clock::fallback convert::hex"),
    (["--explain", "--explain-options"], "profile::base::users numbers clock::servers"),
    (["--render-as", "s"], "greeting numbers sites kind::true kind::null kind::float not::there"),
    (
        ["--render-as", "json"],
        "greeting numbers sites kind::true kind::null kind::float kind::unicode kind::mixed"
        " convert::timespan secret::token",
    ),
    (["--render-as", "yaml"], "greeting numbers sites kind::multiline convert::version"),
    (["--render-as", "YAML"], "greeting"),
    (["--render-as", "toml"], "greeting"),
    (["--explain", "--render-as", "json"], "greeting sudo inter::chain deep.list.1.one"),
    (["--explain", "--render-as", "yaml"], "greeting firewall not::there computed::explained"),
    (["--explain-options", "--render-as", "json"], "numbers"),
    (["--explain", "--merge", "deep"], "sudo firewall kind::string"),
    (["--explain", "--merge", "unique"], "greeting"),
    (["--explain", "--type", "Integer"], "kind::string kind::integer"),
    (["--explain", "--default", "fallback"], "not::there"),
)

# Several keys, no key, and other command lines; machine -> arguments.
_LINES: tuple[tuple[str, list[str]], ...] = (
    ("web", ["not::there", "greeting", "numbers"]),
    ("web", ["not::there", "nor::this"]),
    ("web", ["not::there", "greeting", "--explain"]),
    ("web", []),
    ("web", ["--explain"]),
    ("web", ["--explain-options"]),
    ("bare", ["--explain-options"]),
    ("web", [""]),
    ("web", ["with space"]),
    ("web", ["a..b"]),
    ("web", ["a.'b"]),
    ("web", ["'", "--explain"]),
)

# Arguments as a whole: nodes without facts, facts that are no facts, unknown environments.
_WHOLE: tuple[list[str], ...] = (
    ["greeting", "--node", "web01.example.com"],
    ["kind::integer", "--node", "nameless", "--facts", "facts/nameless.yaml"],
    ["kind::integer", "--node", "half", "--facts", "facts/half.yaml"],
    ["kind::integer", "--node", "list", "--facts", "facts/list.yaml"],
    ["kind::integer", "--node", "broken", "--facts", "facts/broken.json"],
    ["kind::integer", "--node", "text", "--facts", "facts/text.txt"],
    ["kind::integer", "--node", "missing", "--facts", "facts/missing.yaml"],
)


def requests() -> Iterator[Request]:
    """Yield the requests; "arguments" are those of the command line, "trusted" the extensions.

    "environment" is the name of the environment.
    """
    for machines, keys in _KEYS:
        for machine in machines.split():
            for key in keys.split():
                yield _request(machine.rstrip("*"), [key])
                if machine.endswith("*"):
                    yield _request(machine.rstrip("*"), [key, "--explain"])
    for options, keys in _OPTIONS:
        for key in keys.split():
            yield _request("web", [key, *options])
    for machine, arguments in _LINES:
        yield _request(machine, arguments)
    for key in ("greeting", "profile::base::motd", "company::limits", "clock::servers"):
        for arguments in ([key], [key, "--explain"]):
            yield _request("web", arguments, "staging")
    for arguments in _WHOLE:
        yield {"arguments": arguments, "environment": "production"}
    yield _request("web", ["greeting"], "nowhere")


def _request(machine: str, arguments: list[str], environment: str = "production") -> Request:
    node, facts, trusted = MACHINES[machine]
    request: Request = {
        "arguments": [*arguments, "--node", node, "--facts", facts],
        "environment": environment,
    }
    if trusted:
        request["trusted"] = trusted
    return request
