#!/usr/bin/env bash
# Installs the Debian packages whose programs and fonts the tests use. No service of theirs is started or left enabled.
# Without root, passwordless sudo or apt, says exactly what is missing and exits 1.
set -euo pipefail

# program, or file, and the Debian package that has it
needed=(
    "mosquitto mosquitto"              # the broker
    "mosquitto_passwd mosquitto"       # its password files
    "mosquitto_sub mosquitto-clients"  # a client that shares no code with ours
    "strace strace"                    # counts fdatasync
    "systemd-analyze systemd"          # checks the units
    "promtool prometheus"              # checks the metrics page
    "chromium chromium"                # the browser that shows the sign
    # Chinese signs are drawn with real glyphs.
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc fonts-wqy-microhei"
)
PATH=$PATH:/usr/sbin:/sbin # where Debian keeps mosquitto, also when the caller is not root

missing=()
for line in "${needed[@]}"; do
    read -r program package <<<"$line"
    command -v "$program" >/dev/null || [ -e "$program" ] || missing+=("$program (package $package)")
done
[ ${#missing[@]} = 0 ] && exit 0

packages=()
for line in "${missing[@]}"; do
    package=${line##*package }
    [[ " ${packages[*]-} " == *" ${package%)} "* ]] || packages+=("${package%)}")
done

give_up() {
    printf 'The tests need these programs, which are missing:\n' >&2
    printf '    %s\n' "${missing[@]}" >&2
    printf '%s As root: apt-get install --no-install-recommends %s\n' "$1" "${packages[*]}" >&2
    exit 1
}

command -v apt-get >/dev/null || give_up "This machine has no apt-get."
if [ "$(id -u)" = 0 ]; then
    as_root=(env)
elif sudo -n true 2>/dev/null; then
    as_root=(sudo -n env)
else
    give_up "This user may not install packages."
fi

# Debian's way to say "start nothing": invoke-rc.d asks this file. One that is there already is the
# administrator's and stays; ours goes again whatever happens.
policy=/usr/sbin/policy-rc.d
ours=no
log=$(mktemp)
restore() {
    rm -f "$log"
    if [ "$ours" = yes ]; then "${as_root[@]}" rm -f "$policy"; fi
}
trap restore EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if [ ! -e "$policy" ] && [ ! -L "$policy" ]; then
    ours=yes
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
fi

printf 'Installing Debian packages for the tests: %s\n' "${packages[*]}" >&2
install() {
    "${as_root[@]}" apt-get update -qq &&
        "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
}
if ! install </dev/null >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    give_up "apt-get could not install them."
fi

# Not at the next boot either: only services that this run has brought.
for package in "${packages[@]}"; do
    for unit in $(dpkg -L "$package" | sed -n 's|^\(/usr\)\?/lib/systemd/system/\([a-z-]*\)\.service$|\2|p'); do
        case $package in
            systemd | strace) ;; # the system's own units
            *) "${as_root[@]}" systemctl --quiet disable --now "$unit.service" </dev/null 2>/dev/null ||
                "${as_root[@]}" systemctl --quiet disable "$unit.service" </dev/null ;;
        esac
    done
done
