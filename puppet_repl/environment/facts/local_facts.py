"""The facts of this machine, under Facter's names, as far as psutil and distro know them."""

from __future__ import annotations

import os
import platform
import socket
import sys
import time

import psutil

from puppet_repl.base.profiles import DEFAULT_LANGUAGE, PROFILES
from puppet_repl.environment.facts.module_facts import with_module_facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    from psutil._ntuples import snicaddr

    # Facter's names with JSON-like values: dict, list, str, int, float, bool, None.
    Facts: TypeAlias = dict[str, Any]

_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")
_DEBIAN = frozenset(("debian", "ubuntu", "linuxmint", "raspbian", "devuan", "kali", "pop"))
_REDHAT = frozenset(
    ("rhel", "centos", "fedora", "rocky", "almalinux", "ol", "oracle", "amzn", "scientific")
)
_SUSE = frozenset(("sles", "opensuse", "opensuse-leap", "opensuse-tumbleweed", "sled"))
_NAMES = {
    "almalinux": "AlmaLinux",
    "amzn": "Amazon",
    "arch": "Archlinux",
    "centos": "CentOS",
    "linuxmint": "LinuxMint",
    "ol": "OracleLinux",
    "opensuse-leap": "OpenSuSE",
    "oracle": "OracleLinux",
    "rhel": "RedHat",
    "sles": "SLES",
}


def collect() -> Facts:
    """Return all facts that can be found out, and those of modules."""
    facts: Facts = {}
    for collector in (
        _kernel,
        _operating_system,
        _networking,
        _processors,
        _memory,
        _mountpoints,
        _identity,
        _uptime,
        _virtual,
        _miscellaneous,
    ):
        try:
            facts.update(collector())
        except (OSError, psutil.Error, ValueError, NotImplementedError):
            continue
    return with_module_facts(facts)


def _kernel() -> Facts:
    release = platform.release()
    version = release.partition("-")[0]
    name = "windows" if os.name == "nt" else platform.system()
    if name == "windows":
        release = version = platform.version()
    return {
        "kernel": name,
        "kernelmajversion": ".".join(version.split(".")[:2]),
        "kernelrelease": release,
        "kernelversion": version,
    }


def _operating_system() -> Facts:
    hardware = platform.machine()
    system = platform.system()
    if system == "Linux":
        return {"os": _linux(hardware)}
    if system == "Darwin":
        version = platform.mac_ver()[0]
        product = {"product": "macOS", "version": {"full": version, **_parts(version)}}
        release = platform.release()
        return {
            "os": {
                "architecture": hardware,
                "family": "Darwin",
                "hardware": hardware,
                "macosx": product,
                "name": "Darwin",
                "release": {"full": release, **_parts(release)},
            }
        }
    release = platform.release()
    name = "windows" if system == "Windows" else system
    return {
        "os": {
            "architecture": "x64" if hardware.endswith("64") else "x86",
            "family": name,
            "hardware": hardware.lower(),
            "name": name,
            "release": {"full": release, "major": release},
        }
    }


def _linux(hardware: str) -> Facts:
    import distro

    identifier = distro.id()
    version = _debian_version() if identifier == "debian" else distro.version()
    release = {"full": version, **_parts(version)}
    if identifier == "ubuntu":
        release = {"full": version, "major": version}
    family = "Linux"
    for name, members in (("Debian", _DEBIAN), ("RedHat", _REDHAT), ("Suse", _SUSE)):
        if identifier in members:
            family = name
    if identifier in ("arch", "gentoo", "alpine"):
        family = _NAMES.get(identifier, identifier.capitalize())
    name = _NAMES.get(identifier, identifier.capitalize())
    architecture = "amd64" if hardware == "x86_64" and family == "Debian" else hardware
    selinux = os.path.isdir("/sys/fs/selinux") and bool(os.listdir("/sys/fs/selinux"))
    return {
        "architecture": architecture,
        "distro": {
            "codename": distro.codename(),
            "description": distro.name(pretty=True),
            "id": name,
            "release": release,
        },
        "family": family,
        "hardware": hardware,
        "name": name,
        "release": release,
        "selinux": {"enabled": selinux},
    }


def _debian_version() -> str:
    import distro

    try:
        with open("/etc/debian_version", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return distro.version()


def _parts(version: str) -> dict[str, str]:
    numbers = version.split(".")
    named = {"major": numbers[0]}
    if len(numbers) > 1:
        named["minor"] = numbers[1]
    return named


def _networking() -> Facts:
    hostname, _, domain = socket.gethostname().lower().partition(".")
    domain = domain or _search_domain()
    networking: Facts = {
        "domain": domain or None,
        "fqdn": f"{hostname}.{domain}" if domain else hostname,
        "hostname": hostname,
        "interfaces": {},
    }
    if not domain:
        del networking["domain"]
    primary = _primary_address()
    stats = psutil.net_if_stats()
    for name, addresses in psutil.net_if_addrs().items():
        interface = _interface(addresses)
        if name in stats:
            interface["mtu"] = stats[name].mtu
            interface["operational_state"] = "up" if stats[name].isup else "down"
        networking["interfaces"][name] = interface
        if interface.get("ip") == primary and primary is not None:
            networking["primary"] = name
            for key in ("ip", "ip6", "mac", "mtu", "netmask", "netmask6", "network", "network6"):
                if key in interface:
                    networking[key] = interface[key]
    return {"networking": networking}


def _interface(addresses: Iterable[snicaddr]) -> Facts:
    import ipaddress

    interface: Facts = {}
    for entry in addresses:
        address = entry.address.partition("%")[0]
        if entry.family == psutil.AF_LINK:
            if address != "00:00:00:00:00:00":
                interface["mac"] = address
            continue
        six = "6" if entry.family == socket.AF_INET6 else ""
        if not entry.netmask:
            continue
        if six:
            bits = bin(int(ipaddress.IPv6Address(entry.netmask))).count("1")
            network = str(ipaddress.IPv6Network(f"{address}/{bits}", strict=False).network_address)
        else:
            whole = ipaddress.IPv4Network(f"{address}/{entry.netmask}", strict=False)
            network = str(whole.network_address)
        binding = {"address": address, "netmask": entry.netmask, "network": network}
        interface.setdefault(f"bindings{six}", []).append(binding)
        interface.setdefault(f"ip{six}", address)
        interface.setdefault(f"netmask{six}", entry.netmask)
        interface.setdefault(f"network{six}", network)
    return interface


def _primary_address() -> str | None:
    """Return the address that packets to other hosts would come from; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address: str = probe.getsockname()[0]
        except OSError:
            return None
    return None if address.startswith("127.") else address


def _search_domain() -> str:
    try:
        with open("/etc/resolv.conf", encoding="utf-8") as file:
            for line in file:
                words = line.split()
                if len(words) > 1 and words[0] in ("domain", "search"):
                    return words[1].rstrip(".")
    except OSError:
        pass
    return ""


def _processors() -> Facts:
    count = psutil.cpu_count() or 1
    cores = psutil.cpu_count(logical=False) or count
    models = _cpu_models()
    return {
        "processors": {
            "cores": cores,
            "count": count,
            "isa": platform.processor() or "unknown",
            "models": models or [platform.processor() or "unknown"] * count,
            "physicalcount": 1,
            "threads": max(1, count // cores),
        }
    }


def _cpu_models() -> list[str]:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return [
                line.partition(":")[2].strip() for line in file if line.startswith("model name")
            ]
    except OSError:
        return []


def human(size: int) -> str:
    """Return a number of bytes as Facter writes it: ``3.84 GiB``."""
    value = float(size)
    unit, *larger = _UNITS
    while value >= 1024 and larger:
        value /= 1024
        unit = larger.pop(0)
    return f"{value:.2f} {unit}" if unit != _UNITS[0] else f"{size} {unit}"


def _amounts(total: int, used: int, available: int) -> Facts:
    capacity = used * 100 / total if total else 0.0
    return {
        "available": human(available),
        "available_bytes": available,
        "capacity": f"{capacity:.2f}%",
        "total": human(total),
        "total_bytes": total,
        "used": human(used),
        "used_bytes": used,
    }


def _memory() -> Facts:
    system = psutil.virtual_memory()
    used = system.total - system.available
    memory = {"system": _amounts(system.total, used, system.available)}
    swap = psutil.swap_memory()
    if swap.total:
        memory["swap"] = _amounts(swap.total, swap.used, swap.free)
    return {"memory": memory}


def _mountpoints() -> Facts:
    mountpoints: Facts = {}
    partitions: Facts = {}
    for entry in psutil.disk_partitions(all=False):
        try:
            usage = psutil.disk_usage(entry.mountpoint)
        except OSError:
            continue
        amounts = _amounts(usage.total, usage.used, usage.free)
        size, size_bytes = amounts.pop("total"), amounts.pop("total_bytes")
        mountpoints[entry.mountpoint] = {
            **amounts,
            "device": entry.device,
            "filesystem": entry.fstype,
            "options": entry.opts.split(","),
            "size": size,
            "size_bytes": size_bytes,
        }
        if entry.device.startswith("/dev/"):
            partitions[entry.device] = {
                "filesystem": entry.fstype,
                "mount": entry.mountpoint,
                "size": size,
                "size_bytes": size_bytes,
            }
    return {"mountpoints": mountpoints, "partitions": partitions}


def _identity() -> Facts:
    import getpass

    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = ""
    if os.name == "nt":
        return {"identity": {"user": user}}
    import grp

    gid = os.getgid()
    try:
        group = grp.getgrgid(gid).gr_name
    except KeyError:
        group = str(gid)
    return {
        "identity": {
            "gid": gid,
            "group": group,
            "privileged": os.geteuid() == 0,
            "uid": os.getuid(),
            "user": user,
        }
    }


def _uptime() -> Facts:
    seconds = int(time.time() - psutil.boot_time())
    days, hours, minutes = seconds // 86400, seconds // 3600, seconds // 60 % 60
    if days:
        text = f"{days} day{'s' if days > 1 else ''}"
    else:
        text = f"{hours}:{minutes:02d} hours"
    facts: Facts = {
        "system_uptime": {"days": days, "hours": hours, "seconds": seconds, "uptime": text}
    }
    if hasattr(os, "getloadavg"):
        one, five, fifteen = os.getloadavg()
        facts["load_averages"] = {
            "15m": round(fifteen, 2),
            "1m": round(one, 2),
            "5m": round(five, 2),
        }
    return facts


def _virtual() -> Facts:
    kind = "physical"
    if os.path.exists("/.dockerenv"):
        kind = "docker"
    elif os.path.exists("/run/.containerenv"):
        kind = "podman"
    else:
        product = _read("/sys/class/dmi/id/product_name") + _read("/sys/class/dmi/id/sys_vendor")
        for word, name in (
            ("VMware", "vmware"),
            ("VirtualBox", "virtualbox"),
            ("QEMU", "kvm"),
            ("KVM", "kvm"),
            ("Google", "gce"),
            ("Amazon", "kvm"),
            ("Virtual Machine", "hyperv"),
        ):
            if word in product:
                kind = name
                break
    return {"is_virtual": kind != "physical", "virtual": kind}


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def _miscellaneous() -> Facts:
    return {
        "facterversion": "4.10.0",
        "fips_enabled": _read("/proc/sys/crypto/fips_enabled") == "1",
        "path": os.environ.get("PATH", ""),
        "puppetversion": PROFILES[DEFAULT_LANGUAGE].version,
        "python": {"platform": sys.platform, "version": platform.python_version()},
        "timezone": time.tzname[0],
    }
