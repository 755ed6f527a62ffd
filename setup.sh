#!/usr/bin/env bash
#
# Makes .venv, and installs the system libraries that its packages are built with.
# Once that is done it only looks whether it still holds. Everything it prints goes to stderr;
# when it cannot go on, its last line says what to do, and it ends with status 2.
# The interpreter is $PYTHON if that is set, or else the first that fits.

set -euo pipefail
unset CDPATH PYTHONHOME PYTHONPATH
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
exec </dev/null >&2
PATH=${PATH//"$PWD/.venv/bin:"/} # an activated .venv must not be made from itself
python=                          # the interpreter to use, empty while there is none

main() {
    is_complete && return
    [ -w . ] || stop "Make the folder $PWD writable for you"
    wait_for_others
    is_complete && return
    find_python
    install_libraries
    make_venv
}

stop() {
    echo "$1, then run the same command again."
    exit 2
}

has() { command -v "$1" >/dev/null; }

# --- What .venv was made from. It is written last, so a half-made .venv is never trusted.

recipe() {
    .venv/bin/python -c 'import sys; print(sys.version, sys.prefix)'
    awk '/^\[/ { counts = /^\[(build-system|project|tool\.setuptools)/ } counts' pyproject.toml
    cat constraints.txt
}

is_complete() {
    [ -f .venv/made-from ] || return 1
    [ "$(recipe 2>/dev/null)" = "$(cat .venv/made-from)" ] || return 1
    [ -z "${PYTHON-}" ] || [ "$(version_of "$PYTHON")" = "$(version_of .venv/bin/python)" ]
}

wait_for_others() { # takes a lock that ends with this script
    exec 9>.venv.lock
    if has flock; then
        flock -n 9 || { echo "Waiting for another set-up of this folder." && flock 9; }
    elif has python3; then
        python3 -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
    fi
}

# --- Python

version_of() { "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true; }

is_supported() { case $(version_of "$1") in 3.11 | 3.12 | 3.13) ;; *) return 1 ;; esac }

makes_venvs() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }

find_python() { # one that can make a venv goes before one that cannot yet
    local candidate candidates=(python3 python3.13 python3.12 python3.11)
    [ -z "${PYTHON-}" ] || candidates=("$PYTHON")
    python=
    for candidate in "${candidates[@]}"; do
        is_supported "$candidate" || continue
        python=${python:-$candidate}
        makes_venvs "$candidate" && python=$candidate && return
    done
    [ -n "$python" ] && return
    if [ -n "${PYTHON-}" ] || has python3; then wrong_python; fi
}

wrong_python() {
    local name=${PYTHON:-python3} version
    version=$(version_of "$name")
    stop "Install Python 3.11, 3.12 or 3.13, or name one with PYTHON=/path/to/it \
($name is ${version:-not a working Python})"
}

# --- System libraries

missing() { # a line for each thing: in words | for apt-get | for brew
    local version=3
    [ -z "$python" ] || version=$(version_of "$python")
    [ -n "$python" ] || echo "Python 3.11, 3.12 or 3.13|python3|python@3.13"
    makes_venvs "${python:-no}" || echo "Python's venv module|python$version-venv|python@3.13"
    compiles Python.h || echo "Python's headers|python$version-dev|python@3.13"
    compiles stdlib.h || echo "a C compiler|build-essential|gcc"
    has pkg-config || echo "pkg-config|pkg-config|pkgconf"
    pkg_config_knows cairo || echo "cairo with its headers|libcairo2-dev|cairo"
    pkg_config_knows pangocairo || echo "pango with its headers|libpango1.0-dev|pango"
}

pkg_config_knows() { pkg-config --exists "$1" 2>/dev/null; }

compiles() { # a C file that includes this header, with the compiler that builds Python's extensions
    local compiler headers
    compiler=${CC:-$(ask_sysconfig 'get_config_var("CC")')}
    headers=$(ask_sysconfig 'get_path("include")')
    # shellcheck disable=SC2086 # a compiler may come with options
    echo "#include <$1>" | ${compiler:-cc} -I"${headers:-.}" -x c -fsyntax-only - 2>/dev/null
}

ask_sysconfig() { [ -z "$python" ] || "$python" -c "import sysconfig; print(sysconfig.$1 or '')"; }

column() { cut -d'|' -f"$1" | paste -s -d'|' - | sed "s/|/$2/g"; }

install_libraries() {
    local lines
    lines=$(missing)
    [ -n "$lines" ] || return 0
    # shellcheck disable=SC2046 # a word a package
    if has apt-get; then
        apt_get_install $(column 2 ' ' <<<"$lines")
    elif has brew; then
        brew install $(column 3 ' ' <<<"$lines") || true # what is missing still is named below
    fi
    find_python
    lines=$(missing)
    [ -z "$lines" ] || stop "Install $(column 1 ', ' <<<"$lines")"
}

apt_get_install() {
    local install=(apt-get install -y --no-install-recommends "$@")
    local as_root=(env DEBIAN_FRONTEND=noninteractive)
    if [ "$(id -u)" -ne 0 ]; then
        has sudo || stop "Ask an administrator to run '${install[*]}'"
        as_root=(sudo ${CI:+-n} "${as_root[@]}")
    fi
    echo "Installing with apt-get: $*"
    "${as_root[@]}" apt-get update || true # the lists that are there may do
    "${as_root[@]}" "${install[@]}" -o DPkg::Lock::Timeout=600 ||
        stop "See above why apt-get failed, run '${install[*]}' as an administrator with a network connection"
}

# --- .venv

make_venv() {
    echo "Making .venv: this takes a few minutes and happens once."
    set_aside || stop "Remove .venv and .venv.previous from $PWD"
    trap put_back EXIT
    trap 'interrupted 130' INT
    trap 'interrupted 143' HUP TERM
    fill || stop "See above why .venv could not be made, check network connection and disk space"
    trap - EXIT INT HUP TERM
    rm -rf .venv.previous
}

fill() {
    "$python" -m venv .venv || return
    # pip splits paths in its variables at spaces, so these two are relative. They pin what
    # packages are built with: the first is for pip before 25.3, the second from there on.
    PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_USER=0 \
        .venv/bin/python -m pip --disable-pip-version-check --no-input \
        install -c constraints.txt -e ".[dev]" || return
    recipe >.venv/made-from
}

set_aside() { # what was there stays until the new one is ready
    rm -rf .venv.previous && { [ ! -e .venv ] || mv .venv .venv.previous; }
}

put_back() {
    rm -rf .venv
    [ ! -e .venv.previous ] || mv .venv.previous .venv
}

interrupted() {
    trap '' INT HUP TERM
    echo "Set-up was interrupted; run the same command again to start it over."
    exit "$1"
}

main
