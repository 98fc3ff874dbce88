#!/bin/sh
# Sixteen hosts as a hypercube. A transpose, routed dimension by dimension, loads some links twice as much as the even
# exchange: by way of random hosts it ends earlier, in the time that any permutation takes. See emulated.sh.
# emulated-hypercube.sh [HOSTS [MBIT [BYTES [PATTERN...]]]]
hosts=${1:-16} mbit=${2:-20} bytes=${3:-400000}
[ $# -gt 3 ] && shift 3 || set -- even transpose hot words-uniform words-hot
exec "$(dirname "$0")/emulated.sh" hypercube "$hosts" "$mbit" "$bytes" "$@"
