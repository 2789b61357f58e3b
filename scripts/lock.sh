#!/usr/bin/env bash
# Writes the lock files anew: versions and hashes for every Python from 3.11 on, no index address.
#   scripts/lock.sh [uv's options, e.g. --upgrade or --upgrade-package pydantic]
# It reads no pip or uv configuration, so that a mirror or a local folder of one machine never shows in a lock.
set -euo pipefail
cd "$(dirname "$0")/.."

lock() { # OUTPUT [options]
    local output=$1
    shift
    .venv/bin/uv --no-config pip compile pyproject.toml --output-file "requirements/$output" --quiet \
        --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header "$@"
}

# The development lock is the widest: the others take its versions, so that one environment can hold them all.
lock dev.txt --extra demo --extra build --extra dev "$@"
lock demo.txt --extra demo --extra build --constraint requirements/dev.txt
lock runtime.txt --constraint requirements/dev.txt
lock fuzz.txt --extra demo --extra build --extra dev --extra fuzz --constraint requirements/dev.txt
