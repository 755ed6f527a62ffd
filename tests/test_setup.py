"""Set-up on machines made of stubs: bare, offline, interrupted, and in a folder with spaces."""

import os
import re
import shutil
import signal
import subprocess
import time
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
COMMANDS = "awk bash cat cp cut dirname env flock make mkdir mv paste pwd rm sed sh sleep touch"
LIBRARIES = ("cairo", "pangocairo", "stdlib.h", "Python.h", "ensurepip")

PYTHON = """
case "$1 $2" in
    "-c "*version_info*) echo {version} ;;
    "-c "*sys.version*) echo {version}; pwd ;;
    "-c "*ensurepip*) [ -e "{installed}/ensurepip" ] ;;
    "-c "*CC*) echo cc ;;
    "-c "*include*) echo include ;;
    "-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    "-m pip") echo pip >>"{log}"; exec pip ;;
    "render.py render") echo film.mp4 ;;
    *) exit 1 ;;
esac
"""


class Machine:
    """A folder of commands to be the whole PATH, and a checkout in a path with spaces."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.bin = home / "bin"
        self.installed = home / "installed"
        self.log = home / "log"
        self.checkout = home / "my films" / "transformer films"
        for folder in (self.bin, self.installed, self.checkout):
            folder.mkdir(parents=True)
        for name in ("setup.sh", "Makefile", "pyproject.toml", "constraints.txt"):
            shutil.copy(PROJECT / name, self.checkout)
        for name in COMMANDS.split():
            if found := shutil.which(name):
                (self.bin / name).symlink_to(found)
        self.log.touch()
        self.have(*LIBRARIES)
        self.stub("pkg-config", f'[ -e "{self.installed}/$2" ]')
        self.stub("cc", f'read -r _ file; file=${{file#<}}; [ -e "{self.installed}/${{file%>}}" ]')
        self.stub("pip", "exit 0")
        self.stub("id", "echo 0")
        self.stub_python("python3")

    def have(self, *libraries: str) -> None:
        shutil.rmtree(self.installed)
        self.installed.mkdir()
        for name in libraries:
            (self.installed / name).touch()

    def stub(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def stub_python(self, name: str, version: str = "3.12") -> None:
        script = PYTHON.format(version=version, installed=self.installed, log=self.log)
        self.stub(name, script)

    def stub_apt_get(self) -> None:
        everything = " ".join(f'"{self.installed}/{name}"' for name in LIBRARIES)
        self.stub("apt-get", f'echo "apt-get $*" >>"{self.log}"; touch {everything}')

    def start(self, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.checkout / "setup.sh"],
            cwd=self.home,
            env={"PATH": str(self.bin), **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def set_up(self, **variables: str) -> tuple[int, str]:
        """Run set-up: its exit status, and the last line that it says."""
        process = self.start(**variables)
        said, complaint = process.communicate(timeout=30)
        assert said == "", "stdout is for results"
        return process.returncode, (complaint.splitlines() or [""])[-1]

    def start_and_reach_pip(self) -> subprocess.Popen[str]:
        self.stub("pip", "sleep 30")
        process = self.start()
        deadline = time.monotonic() + 10
        while "pip" not in self.logged() and time.monotonic() < deadline:
            time.sleep(0.02)
        return process

    def logged(self) -> list[str]:
        return self.log.read_text().splitlines()

    @property
    def venv(self) -> Path:
        return self.checkout / ".venv"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_fresh_checkout_gets_a_venv(machine: Machine) -> None:
    assert machine.set_up()[0] == 0
    assert (machine.venv / "bin" / "python").exists()


def test_a_complete_venv_is_trusted_at_once(machine: Machine) -> None:
    machine.set_up()
    machine.stub("pip", "exit 1")
    began = time.monotonic()
    assert machine.set_up() == (0, "")
    assert time.monotonic() - began < 1.5
    assert machine.logged() == ["pip"]


def test_new_pins_make_it_again(machine: Machine) -> None:
    machine.set_up()
    with (machine.checkout / "constraints.txt").open("a") as pins:
        pins.write("something==1.0\n")
    machine.set_up()
    assert machine.logged() == ["pip", "pip"]


def test_new_lint_settings_do_not(machine: Machine) -> None:
    machine.set_up()
    with (machine.checkout / "pyproject.toml").open("a") as settings:
        settings.write("[tool.ruff.format]\nquote-style = 'double'\n")
    machine.set_up()
    assert machine.logged() == ["pip"]


def test_a_moved_folder_makes_it_again(machine: Machine) -> None:
    machine.set_up()
    machine.checkout = machine.checkout.rename(machine.home / "moved films")
    machine.set_up()
    assert machine.logged() == ["pip", "pip"]


def test_without_apt_get_one_sentence_names_what_to_install(machine: Machine) -> None:
    machine.have("stdlib.h", "Python.h", "ensurepip")
    status, sentence = machine.set_up()
    assert status == 2
    assert sentence == (
        "Install cairo with its headers, pango with its headers, then run the same command again."
    )
    assert not machine.venv.exists()


def test_root_installs_only_what_is_missing_without_sudo(machine: Machine) -> None:
    machine.have("cairo", "stdlib.h", "Python.h")
    machine.stub_apt_get()
    machine.stub("sudo", "exit 1")
    assert machine.set_up()[0] == 0
    install = machine.logged()[1]
    assert install.startswith("apt-get install -y ")
    assert re.findall(r"\S+-(?:dev|venv)\b", install) == ["python3.12-venv", "libpango1.0-dev"]


def test_who_is_not_root_installs_with_sudo(machine: Machine) -> None:
    machine.have("ensurepip")
    machine.stub_apt_get()
    machine.stub("id", "echo 1000")
    machine.stub("sudo", f'echo sudo >>"{machine.log}"; [ "$1" != -n ] || shift; exec "$@"')
    assert machine.set_up(CI="true")[0] == 0
    assert machine.logged()[0] == "sudo"


def test_without_rights_the_sentence_is_a_command_for_the_administrator(machine: Machine) -> None:
    machine.have("stdlib.h", "Python.h", "ensurepip", "cairo")
    machine.stub_apt_get()
    machine.stub("id", "echo 1000")
    status, sentence = machine.set_up()
    assert status == 2
    assert sentence.startswith("Ask an administrator to run 'apt-get install -y ")
    assert "libpango1.0-dev" in sentence
    assert not machine.venv.exists()


def test_an_offline_apt_get_ends_in_a_sentence(machine: Machine) -> None:
    machine.have()
    machine.stub("apt-get", "echo 'E: Temporary failure resolving' >&2; exit 100")
    status, sentence = machine.set_up()
    assert status == 2
    assert "libcairo2-dev" in sentence
    assert not machine.venv.exists()


def test_an_offline_pip_leaves_no_venv(machine: Machine) -> None:
    machine.stub("pip", "echo 'ERROR: No matching distribution' >&2; exit 1")
    status, sentence = machine.set_up()
    assert status == 2
    assert "network" in sentence
    assert not machine.venv.exists()


def test_a_failed_renewal_leaves_the_older_venv_but_does_not_trust_it(machine: Machine) -> None:
    machine.set_up()
    (machine.venv / "older").touch()
    (machine.checkout / "constraints.txt").write_text("something==1.0\n")
    machine.stub("pip", "exit 1")
    assert machine.set_up()[0] == 2
    assert (machine.venv / "older").exists()
    assert machine.set_up()[0] == 2


def test_an_interrupted_build_is_removed(machine: Machine) -> None:
    process = machine.start_and_reach_pip()
    os.killpg(process.pid, signal.SIGTERM)
    _, complaint = process.communicate(timeout=10)
    assert process.returncode == 143
    assert complaint.splitlines()[-1].startswith("Set-up was interrupted;")
    assert not machine.venv.exists()


def test_a_killed_build_is_not_trusted(machine: Machine) -> None:
    process = machine.start_and_reach_pip()
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=10)
    assert machine.venv.exists()
    machine.stub("pip", "exit 0")
    assert machine.set_up()[0] == 0
    assert machine.logged() == ["pip", "pip"]


@pytest.mark.skipif(not shutil.which("flock"), reason="the stub cannot stand in for a lock")
def test_two_at_once_build_once(machine: Machine) -> None:
    machine.stub("pip", "sleep 0.5")
    both = machine.start(), machine.start()
    for process in both:
        process.communicate(timeout=10)
    assert [process.returncode for process in both] == [0, 0]
    assert machine.logged() == ["pip"]


def test_a_python_too_old_is_named(machine: Machine) -> None:
    machine.stub_python("python3", "3.9")
    status, sentence = machine.set_up()
    assert status == 2
    assert sentence.startswith("Install Python 3.11, 3.12 or 3.13")
    assert "python3 is 3.9" in sentence


def test_a_broken_python_is_passed_over(machine: Machine) -> None:
    machine.stub("python3", "exit 127")
    machine.stub("python3.13", "exit 127")
    machine.stub_python("python3.12")
    assert machine.set_up()[0] == 0


def test_the_python_asked_for_is_the_one_used(machine: Machine) -> None:
    machine.set_up()
    machine.stub_python("another python", "3.13")
    assert machine.set_up(PYTHON=str(machine.bin / "another python"))[0] == 0
    assert "3.13" in (machine.venv / "made-from").read_text().splitlines()[0]
    status, sentence = machine.set_up(PYTHON="no-such-python")
    assert status == 2
    assert "no-such-python" in sentence


def test_make_video_works_from_another_folder(machine: Machine) -> None:
    made = subprocess.run(
        ["make", "-C", machine.checkout, "video"],
        cwd=machine.home,
        env={"PATH": str(machine.bin), "CI": "true"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = made.stdout.splitlines()
    assert [line for line in lines if not line.startswith("make: ")] == ["film.mp4"]


def test_every_requirement_is_pinned() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    required = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    lines = (PROJECT / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.match(r"[\w-]+==[\w.]+( |$)", pin) for pin in pins)
    pinned = {pin.partition("==")[0].lower() for pin in pins}
    assert {re.split(r"[^\w-]", name)[0].lower() for name in required} <= pinned
