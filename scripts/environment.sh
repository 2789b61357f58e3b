#!/usr/bin/env bash
# Makes .venv hold exactly-hashed versions from one lock file, and the project itself from this tree.
#   scripts/environment.sh requirements/dev.txt
# Does nothing when that was done before and neither the lock, the project file nor the folder has changed.
set -euo pipefail
cd "$(dirname "$0")/.."
lock=$1
venv=$PWD/.venv
stamp=$venv/.installed-$(basename "$lock" .txt)

say() { printf '%s\n' "$*" >&2; }
modern() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    local candidate seen=()
    for candidate in ${PYTHON:-python3 python3.11 python3.12 python3.13 python3.14 /usr/bin/python3}; do
        if modern "$candidate"; then command -v "$candidate"; return; fi
        seen+=("$candidate: $("$candidate" --version 2>/dev/null || echo none)")
    done
    say "jackpotd needs Python 3.11 or later. Looked for:"
    printf '    %s\n' "${seen[@]}" >&2
    say "On Debian 12 or later: apt-get install python3 python3-venv. Or name another with PYTHON=/path/to/python3."
    return 1
}

ensure_venv_module() { # PYTHON: Debian ships venv without ensurepip unless python3-venv is there
    "$1" -c 'import ensurepip, venv' 2>/dev/null && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "Installing Debian's python3-venv."
        apt-get update -qq </dev/null
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv </dev/null >/dev/null
    fi
    "$1" -c 'import ensurepip, venv' 2>/dev/null && return
    say "$1 cannot make virtual environments. On Debian: apt-get install python3-venv."
    return 1
}

fingerprint() { # a moved folder breaks the scripts in .venv/bin, so the path counts too
    { cat "$lock" pyproject.toml; printf '%s\n' "$venv" "$("$venv/bin/python" -VV)"; } | sha256sum
}

usable() { [ -x "$venv/bin/python" ] && [ -x "$venv/bin/pip" ] && "$venv/bin/pip" --version >/dev/null 2>&1 && modern "$venv/bin/python"; }

if usable && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint)" ]; then exit 0; fi
if ! usable; then
    python=$(find_python)
    ensure_venv_module "$python"
    say "Making .venv with $("$python" --version)."
    "$python" -m venv --clear "$venv"
fi
export PIP_DISABLE_PIP_VERSION_CHECK=1
say "Installing the versions of $lock."
"$venv/bin/python" -m pip install -qq --require-hashes --requirement "$lock" </dev/null
"$venv/bin/python" -m pip install -qq --no-deps --no-build-isolation --editable . </dev/null
fingerprint >"$stamp"
