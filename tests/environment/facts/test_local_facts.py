"""Facts of this machine, beside what Linux itself says."""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.environment.facts.local_facts import collect, human

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads files of Linux")
IS_UP = 1  # IFF_UP of netdevice(7)


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return collect()


# Facter's forms: the greatest unit of which there is one, with two digits.
@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (1023, "1023 bytes"),
        (1024, "1.00 KiB"),
        (1536, "1.50 KiB"),
        (1 << 20, "1.00 MiB"),
        (4119490560, "3.84 GiB"),
        (5 << 40, "5.00 TiB"),
        (3 << 50, "3.00 PiB"),
    ],
)
def test_sizes_for_people(size: int, text: str) -> None:
    assert human(size) == text


@on_linux
def test_the_operating_system(found: dict[str, Any]) -> None:
    system = found["os"]
    lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    release = {name: value.strip('"') for name, _, value in (line.partition("=") for line in lines)}
    families = {release.get("ID", ""), *release.get("ID_LIKE", "").split()}
    assert system["family"].lower() in {*families, "redhat"}
    assert system["hardware"] == platform.machine()
    assert system["distro"]["id"].lower() == release["ID"]
    assert found["kernel"] == "Linux"
    assert found["kernelrelease"] == platform.release()


@on_linux
def test_interfaces(found: dict[str, Any]) -> None:
    for name, interface in found["networking"]["interfaces"].items():
        device = Path("/sys/class/net", name)
        if device.exists() and "operational_state" in interface:
            is_up = int((device / "flags").read_text(), 16) & IS_UP
            assert interface["operational_state"] == ("up" if is_up else "down"), name
            assert interface["mtu"] == int((device / "mtu").read_text()), name


@on_linux
def test_processors(found: dict[str, Any]) -> None:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    if models:  # not every architecture names them
        assert found["processors"]["models"] == models
        assert found["processors"]["count"] == len(models)


def test_amounts_of_memory_belong_together(found: dict[str, Any]) -> None:
    for amounts in found["memory"].values():
        total, used = amounts["total_bytes"], amounts["used_bytes"]
        for name in ("total", "used", "available"):
            assert amounts[name] == human(amounts[f"{name}_bytes"])
        assert 0 <= used <= total
        assert float(amounts["capacity"].rstrip("%")) == pytest.approx(100 * used / total, abs=0.01)
