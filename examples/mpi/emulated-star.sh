#!/bin/sh
# Eight hosts at a switch, whose ports are the limit. Two phases send everything twice, and do not cure a hot receiver:
# its port takes as long, whatever way the bytes come. See emulated.sh.
# emulated-star.sh [HOSTS [MBIT [BYTES [PATTERN...]]]]
hosts=${1:-8} mbit=${2:-40} bytes=${3:-400000}
[ $# -gt 3 ] && shift 3 || set -- even shift hot words-uniform words-hot
exec "$(dirname "$0")/emulated.sh" star "$hosts" "$mbit" "$bytes" "$@"
