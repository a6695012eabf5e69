#!/usr/bin/env bash
# Fetches the executable of a release, compares its SHA-256 sum with the release's, and runs it.
set -euo pipefail

fail() {
  # A line break in an input must not begin a command of its own.
  local text=${1//\%/%25}
  text=${text//$'\r'/%0D}
  printf '::error title=Jetblack::%s\n' "${text//$'\n'/%0A}"
  exit 1
}

case "${RUNNER_OS:-}-${RUNNER_ARCH:-}" in
  Linux-X64) name=jetblack-linux-amd64 ;;
  Linux-ARM64) name=jetblack-linux-arm64 ;;
  macOS-X64) name=jetblack-macos-amd64 ;;
  macOS-ARM64) name=jetblack-macos-arm64 ;;
  Windows-X64) name=jetblack-windows-amd64.exe ;;
  *) fail "There is no executable for ${RUNNER_OS:-an unknown system} on ${RUNNER_ARCH:-an unknown processor}; use 'pip install jetblack' in a step." ;;
esac
# Alpine and the like have musl in place of glibc.
if [ "$name" = jetblack-linux-amd64 ] && [ -e /lib/ld-musl-x86_64.so.1 ] && [ ! -e /lib64/ld-linux-x86-64.so.2 ]; then
  name=jetblack-linux-amd64-musl
  [ -e /usr/lib/libstdc++.so.6 ] || fail "The executable needs a library that is not here: run 'apk add libstdc++' in a step before."
fi

folder=$(mktemp -d "${RUNNER_TEMP:?}/jetblack.XXXXXX")
trap 'rm -rf "$folder"' EXIT
for file in "$name" SHA256SUMS; do
  curl --fail --silent --show-error --location --retry 3 --output "$folder/$file" "$JETBLACK_RELEASE/$file" ||
    fail "$JETBLACK_RELEASE/$file cannot be fetched; is 'version' a release with executables?"
done

if command -v sha256sum >/dev/null; then sum=$(sha256sum <"$folder/$name"); else sum=$(shasum -a 256 <"$folder/$name"); fi
# A whole line: a sum beside another name, or none, must not pass.
grep --quiet --line-regexp --fixed-strings "${sum%% *}  $name" <(tr -d '\r' <"$folder/SHA256SUMS") ||
  fail "$name does not have the sum that its release names; nothing was run."
chmod +x "$folder/$name"

# Options are split at white space and nothing else happens to them; a path is a line.
set -f
read -r -d '' -a options <<<"${JETBLACK_OPTIONS:-}" || true
sources=()
while IFS= read -r line; do
  line=${line%$'\r'}
  [ -z "$line" ] || sources+=("$line")
done <<<"${JETBLACK_SRC:-}"
[ "${#sources[@]}" -gt 0 ] || fail "The input 'src' names no file and no folder."
"$folder/$name" ${options[@]+"${options[@]}"} -- "${sources[@]}"
