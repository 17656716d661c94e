"""Facts of nodes: those of a bundled set, as the node would have them, and what its site adds."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

from puppet_repl.environment.facts.facts import bundled_facts

Facts = dict[str, Any]
_NETWORKS = {
    "eqiad": "10.64.16",
    "codfw": "10.192.16",
    "esams": "10.80.0",
    "ulsfo": "10.128.0",
    "eqsin": "10.132.0",
    "drmrs": "10.136.0",
    "magru": "10.140.0",
}
_PUBLIC = {
    "1": "208.80.154",
    "2": "208.80.153",
    "3": "185.15.59",
    "4": "198.35.26",
    "5": "103.102.166",
    "6": "185.15.58",
    "7": "195.200.68",
}
_KINDS = {
    "desktop": re.compile(r"^ocf_desktop\b", re.MULTILINE),
    "staffvm": re.compile(r"^owner:", re.MULTILINE),
}


def of_node(name: str, address: str, address6: str) -> Facts:
    """Return the bundled facts of Debian 12 with names and addresses, structured and legacy."""
    facts: Facts = copy.deepcopy(bundled_facts("debian-12"))
    hostname, _, domain = name.partition(".")
    network = address.rpartition(".")[0] + ".0"
    networking = facts["networking"]
    interface = networking["interfaces"][networking["primary"]]
    for each in (networking, interface):
        each.update(ip=address, ip6=address6, network=network, scope6="global")
    interface["bindings"][0].update(address=address, network=network)
    interface["bindings6"][0].update(address=address6, scope6="global")
    networking.update(hostname=hostname, domain=domain, fqdn=name)
    facts.update(clientcert=name, is_virtual=False, virtual="physical")
    facts.update(_legacy(facts))
    return facts


def _legacy(facts: Facts) -> Facts:
    system, networking, processors = facts["os"], facts["networking"], facts["processors"]
    release = system["release"]
    return {
        "fqdn": networking["fqdn"],
        "hostname": networking["hostname"],
        "domain": networking["domain"],
        "ipaddress": networking["ip"],
        "ipaddress6": networking["ip6"],
        "macaddress": networking["mac"],
        "netmask": networking["netmask"],
        "interfaces": ",".join(networking["interfaces"]),
        "architecture": system["architecture"],
        "hardwaremodel": system["hardware"],
        "operatingsystem": system["name"],
        "operatingsystemrelease": release["full"],
        "operatingsystemmajrelease": release["major"],
        "osfamily": system["family"],
        "lsbdistid": system["distro"]["id"],
        "lsbdistcodename": system["distro"]["codename"],
        "lsbdistrelease": release["full"],
        "processorcount": processors["count"],
        "physicalprocessorcount": processors.get("physicalcount", 1),
        "physicalcorecount": processors["count"],
        "processor0": processors["models"][0],
        "memorysize": facts["memory"]["system"]["total"],
        "memorysize_mb": round(facts["memory"]["system"]["total_bytes"] / 2**20, 2),
        "manufacturer": facts["dmi"].get("manufacturer", "Dell Inc."),
        "productname": facts["dmi"].get("product", {}).get("name", "PowerEdge"),
        "uniqueid": "007f0101",
        "id": "root",
        "gid": "root",
        "selinux": False,
        "kernel": facts["kernel"],
        "kernelversion": facts["kernelversion"],
        "uptime_days": 3,
        **{f"ipaddress_{name}": each["ip"] for name, each in networking["interfaces"].items()},
        **{f"ipaddress6_{name}": each["ip6"] for name, each in networking["interfaces"].items()},
        "swapsize_mb": 976.0,
    }


def wikimedia(name: str, _: Path) -> Facts:
    """Return the facts of a node of Wikimedia: its network tells the data centre."""
    hostname = name.partition(".")[0]
    number = sum(hostname.encode()) % 250 + 2
    numbered = re.search(r"\d(?=\d{3})", hostname)
    digit = "1" if numbered is None else numbered[0]
    site = next((each for each in _NETWORKS if f".{each}." in name), None)
    if site is not None:
        prefix = _NETWORKS[site]
    else:
        prefix = _PUBLIC.get(digit, _PUBLIC["1"])
    facts = of_node(name, f"{prefix}.{number}", f"2620:0:861:102::{number:x}")
    primary = facts["networking"]["primary"]
    ssl = "/var/lib/puppet/ssl"
    facts.update(
        interface_primary=primary,
        net_driver={primary: {"driver": "bnx2x", "duplex": "full", "speed": 10000}},
        numa={
            "nodes": [0],
            "device_to_htset": {"lo": [0, 1], primary: [0, 1]},
            "device_to_node": {"lo": ["a"], primary: [0]},
        },
        lldp={"parent": f"asw2-a-{site or 'eqiad'}", primary: {"neighbor": "asw2-a", "port": "1"}},
        default_routes={"ipv4": f"{prefix}.1", "ipv6": "2620:0:861:102::1"},
        raid_mgmt_tools=["md"],
        raid=["md"],
        block_devices=[],
        disk_type={"sda": "ssd"},
        swift_disks={"objects": [], "accounts": [], "container": []},
        ceph_disks={},
        wmflib={"is_container": False},
        puppet_config_dir="/etc/puppet",
        puppet_config={
            "localcacert": f"{ssl}/certs/ca.pem",
            "ssldir": ssl,
            "hostpubkey": f"{ssl}/public_keys/{name}.pem",
            "hostprivkey": f"{ssl}/private_keys/{name}.pem",
            "hostcert": f"{ssl}/certs/{name}.pem",
            "master": {"localcacert": f"{ssl}/certs/ca.pem", "ssldir": ssl},
        },
        kernel_details={"sysctl_settings": {"net.ipv4.tcp_min_snd_mss": True}},
        has_ipmi=True,
        ipmi_chassis={"boot_flags": {"override": "none"}},
        ganeti_cluster=f"ganeti01.svc.{site or 'eqiad'}.wmnet",
        ganeti_master=name,
        postgres_replica_initialised=True,
        puppetdb={"stockpile_initialized": True},
    )
    return facts


def ocf(name: str, environment: Path) -> Facts:
    """Return the facts of a node of the OCF, and what its classifier adds."""
    hostname = name.partition(".")[0]
    data = (environment / "hieradata" / "nodes" / f"{hostname}.yaml").read_text("utf-8")
    number = sum(hostname.encode()) % 250 + 2
    facts = of_node(name, f"169.229.226.{number}", f"2607:f140:8801::1:{number:x}")
    kind = next((kind for kind, sign in _KINDS.items() if sign.search(data)), "server")
    facts.update(
        type=kind,
        dnsA="",
        dnsCname=f"www-{hostname}",
        dummy_secrets=True,
        host_env="dev" if hostname.startswith("dev-") else "prod",
        ifaces_linked=facts["networking"]["primary"],
        is_efi_host=True,
        le_cert_info="{}",
        ocf_nfs=False,
        ocf_staff="staffer,other",
        ocf_dev="",
        ocf_apphost="",
        polkit_priv_drop=True,
        skip_kerberos="",
        skip_ldap="",
        ipHostNumber=facts["ipaddress"],
        ip6HostNumber=facts["ipaddress6"],
        sshecdsakey=facts["ssh"]["ecdsa"]["key"],
        puppetdb_running=True,
        gfx_brand="intel",
        ip=facts["ipaddress"],
        ip6=facts["ipaddress6"],
    )
    return facts
