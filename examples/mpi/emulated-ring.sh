#!/bin/sh
# Eight hosts as a ring. By the shift all go half of the ring upwards; the links downwards are idle. See emulated.sh.
# emulated-ring.sh [HOSTS [MBIT [BYTES [PATTERN...]]]]
hosts=${1:-8} mbit=${2:-40} bytes=${3:-100000}
[ $# -gt 3 ] && shift 3 || set -- even shift hot words-uniform words-hot
exec "$(dirname "$0")/emulated.sh" ring "$hosts" "$mbit" "$bytes" "$@"
