#!/bin/sh
# emulated.sh star|hypercube|ring HOSTS MBIT BYTES [PATTERN...]: a network of hosts on this machine, the exchange and the
# memory on it, and netpram's prediction beside what was measured. emulated-star.sh and its kin call it with their defaults.
#
# Hosts are network namespaces. Their links are pairs of virtual Ethernet devices, which tc holds to MBIT Mbit/s each
# way. Linux routes by tables: on the hypercube by the lowest bit that differs, on the ring the shorter way round, on
# the star through a switch. Open MPI runs a rank on each host, over TCP. No packet leaves these namespaces. Each rank
# sends BYTES bytes by each PATTERN of examples/mpi/patterns.c. words-uniform and words-hot are patterns of
# examples/mpi/words.c: BYTES / 4 fetch-and-adds of each rank to any word or to one.
#
# The prediction is `netpram route` on the same network, whose step is the time in which a link sends a full frame: the
# pattern's bytes as packets, straight or by way of random hosts. For words it is that of requests of 12 bytes, spread
# alike over the hosts, and then of answers of 8; hot words, which combine to a message a host, have none. It knows nothing of TCP, of acknowledgements (about 4%
# of a link) and of the processors that all hosts share here: on a machine with other work, measured times are longer.
#
# Needs root, ip and tc (iproute2), and a build (BUILD, default: build) that was made with Open MPI. Where namespaces
# are not allowed it says so and ends with status 77.
set -eu
[ $# -ge 4 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
shape=$1 hosts=$2 mbit=$3 bytes=$4
shift 4
patterns=${*:-even}
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${BUILD:-$root/build}" && pwd)
programs=$build/examples/mpi netpram=$build/netpram
payload=1448 frame=1514 # bytes of a full frame of TCP: what it carries, and what tc counts
name=np$$               # of the namespaces: NAME-0, NAME-1 ..., NAME-switch

skip() {
    echo "emulated.sh: skipped: $1" >&2
    exit 77
}
case $shape in star | hypercube | ring) ;; *) echo "emulated.sh: no shape $shape" >&2; exit 2 ;; esac
[ "$(id -u)" = 0 ] || skip "only root may make network namespaces"
for tool in ip tc unshare mpirun.openmpi; do
    command -v $tool >/dev/null || skip "there is no $tool"
done
for file in "${programs}_patterns" "${programs}_words" "$netpram"; do
    [ -x "$file" ] || skip "there is no $file: build all first"
done
ldd "${programs}_patterns" | grep -q 'libmpi\.so' || skip "$programs* was not built with Open MPI"

work=$(mktemp -d)
# Ends what runs in the namespaces, and them. Links end with their namespaces.
clean_up() {
    trap - EXIT INT TERM HUP
    for space in $(ip netns list 2>/dev/null | sed -n "s/^\($name-[0-9a-z]*\).*/\1/p"); do
        ip netns pids "$space" 2>/dev/null | xargs -r kill -9 2>/dev/null || :
        ip netns del "$space" 2>/dev/null || :
    done
    rm -rf "$work"
}
trap clean_up EXIT
trap 'clean_up; exit 1' INT TERM HUP

ip netns add "$name-0" 2>/dev/null && ip netns exec "$name-0" true 2>/dev/null || skip "namespaces are not allowed here"

address() { echo "10.77.$(($1 / 250)).$(($1 % 250 + 1))"; }

# space NAME: a namespace that forwards packets
space() {
    ip netns add "$1" 2>/dev/null || [ "$1" = "$name-0" ]
    ip -n "$1" link set lo up
    ip netns exec "$1" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward
        echo 0 >/proc/sys/net/ipv4/tcp_slow_start_after_idle
        for device in all default; do echo 0 >/proc/sys/net/ipv4/conf/$device/rp_filter; done' 2>/dev/null
}

# cable A DEVICE-OF-A B DEVICE-OF-B: each end sends at the rate of the link, and keeps what waits
cable() {
    ip link add "$2" netns "$1" type veth peer name "$4" netns "$3" 2>/dev/null ||
        skip "there are no virtual Ethernet devices here"
    for end in "$1 $2" "$3 $4"; do
        # shellcheck disable=SC2086
        set -- $end
        ip -n "$1" link set "$2" up
        tc -n "$1" qdisc add dev "$2" root tbf rate "${mbit}mbit" burst 10000 limit 4000000 2>/dev/null ||
            skip "tc cannot limit a rate here (sch_tbf)"
    done
}

# The networks. Each host has one address, on its first device, and a route to each other host.

star() {
    space "$name-switch"
    host=0
    while [ $host -lt "$hosts" ]; do
        cable "$name-$host" e0 "$name-switch" "h$host"
        ip -n "$name-$host" addr add "$(address $host)/32" dev e0
        ip -n "$name-switch" addr add 10.78.0.1/32 dev "h$host"
        ip -n "$name-switch" route add "$(address $host)/32" dev "h$host"
        ip -n "$name-$host" route add 10.78.0.1/32 dev e0
        ip -n "$name-$host" route add default via 10.78.0.1 dev e0 src "$(address $host)"
        echo "$host switch" >>"$work/links"
        host=$((host + 1))
    done
    network="file:$work/links --undirected --hosts degree=1"
}

# routes HOST: a line "DESTINATION NEXT DEVICE" for each other host, from next_hop
routes() {
    to=0
    while [ $to -lt "$hosts" ]; do
        if [ $to != "$1" ]; then
            next_hop "$1" $to
            echo "route add $(address $to)/32 via $(address $next) dev $device onlink src $(address "$1")"
        fi
        to=$((to + 1))
    done | ip -n "$name-$1" -batch -
}

hypercube() {
    dimensions=0
    while [ $((1 << dimensions)) -lt "$hosts" ]; do dimensions=$((dimensions + 1)); done
    [ $((1 << dimensions)) = "$hosts" ] || { echo "emulated.sh: a hypercube has 2^n hosts" >&2; exit 2; }
    next_hop() { # the lowest bit that differs
        bit=0
        while [ $((($1 >> bit & 1) == ($2 >> bit & 1))) = 1 ]; do bit=$((bit + 1)); done
        next=$(($1 ^ 1 << bit)) device=e$bit
    }
    host=0
    while [ $host -lt "$hosts" ]; do
        bit=0
        while [ $bit -lt $dimensions ]; do
            other=$((host ^ 1 << bit))
            [ $host -gt $other ] || cable "$name-$host" "e$bit" "$name-$other" "e$bit"
            bit=$((bit + 1))
        done
        host=$((host + 1))
    done
    network="hypercube:$dimensions"
}

ring() {
    next_hop() { # upwards if that is not longer
        up=$((($2 - $1 + hosts) % hosts))
        if [ $((2 * up)) -le "$hosts" ]; then
            next=$((($1 + 1) % hosts)) device=e0
        else
            next=$((($1 + hosts - 1) % hosts)) device=e1
        fi
    }
    host=0
    while [ $host -lt "$hosts" ]; do
        cable "$name-$host" e0 "$name-$(((host + 1) % hosts))" e1
        host=$((host + 1))
    done
    network="ring:$hosts"
}

# Direct or by way of random hosts, in milliseconds, by the steps of netpram.
predict() {
    # shellcheck disable=SC2086
    "$netpram" route $network --scheme "$1" --traffic "file:$work/bytes.csv" --packet $payload --quiet --format csv |
        awk -F, -v ms="$(awk "BEGIN { print $frame * 8 / $mbit / 1000 }")" '
            $9 == "steps" && $8 != "total" { steps += $10 }
            END { printf "%.1f", steps * ms }'
}

# write_bytes PATTERN BYTES: from host to host, as examples/mpi/patterns.c has them
write_bytes() {
    awk -v pattern="$1" -v hosts="$hosts" -v bytes="$2" 'BEGIN {
        print "source,destination,bytes"
        for (half = 1; half * half * 4 <= hosts; half *= 2);
        for (a = 0; a < hosts; a++)
            for (b = 0; b < hosts; b++) {
                t = hosts - 1 - (a % half * half + int(a / half))
                amount = b == t
                if (pattern == "even") amount = 1 / hosts
                if (pattern == "hot") amount = b == 0
                if (pattern == "shift") amount = b == (a + int(hosts / 2)) % hosts
                amount = int(amount * bytes)
                if (amount && a != b) print a "," b "," amount
            }
    }' >"$work/bytes.csv"
}

# What ssh would do: agent HOST COMMAND...
cat >"$work/agent" <<END
#!/bin/sh
host=\$1
shift
exec ip netns exec "\$host" unshare --uts --mount sh -c "hostname \$host
    mount --bind $work/hosts /etc/hosts
    mount --bind $work/nothing /etc/resolv.conf
    \$*"
END
chmod +x "$work/agent"
: >"$work/nothing"
echo "127.0.0.1 localhost" >"$work/hosts"
host=0 list=
while [ $host -lt "$hosts" ]; do
    space "$name-$host"
    echo "$(address $host) $name-$host" >>"$work/hosts"
    list=$list${list:+,}$name-$host
    host=$((host + 1))
done

echo "$shape of $hosts hosts, links of $mbit Mbit/s, $bytes bytes a rank"
$shape
if [ "$shape" != star ]; then
    host=0
    while [ $host -lt "$hosts" ]; do
        ip -n "$name-$host" addr add "$(address $host)/32" dev e0
        host=$((host + 1))
    done
    host=0
    while [ $host -lt "$hosts" ]; do
        routes $host
        host=$((host + 1))
    done
fi

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm_rsh_agent="$work/agent" OMPI_MCA_plm_rsh_no_tree_spawn=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_orte_tmpdir_base="$work"
export OMPI_MCA_btl=self,tcp OMPI_MCA_osc=pt2pt OMPI_MCA_btl_tcp_if_include=10.77.0.0/16 OMPI_MCA_oob_tcp_if_include=10.77.0.0/16
# Messages go without a handshake, which would wait behind the data of others in the queues of the links.
export OMPI_MCA_btl_tcp_eager_limit=4000000 OMPI_MCA_btl_tcp_rndv_eager_limit=4000000
export OMPI_MCA_btl_tcp_max_send_size=4000000

# measure PROGRAM PATTERN AMOUNT SED: what the program prints, edited
measure() {
    "$work/agent" "$name-0" "exec timeout -k 5 300 mpirun.openmpi --host $list -n $hosts ${programs}_$1 $2 $3" \
        </dev/null | sed "$4; s/^/    /" &
    wait $! # a signal does not wait for the command
}

exchange() {
    write_bytes "$1" "$bytes"
    direct=$(predict greedy) two_phase=$(predict valiant)
    echo "$1: milliseconds, measured and predicted"
    measure patterns "$1" "$bytes" "s/^\(alltoallv\|direct\).*/&  $direct/; s/^two-phase.*/&  $two_phase/"
}

# memory PATTERN, of words.c
memory() {
    requests=$((bytes / 4)) predicted=
    if [ "$1" = uniform ]; then
        write_bytes even $((12 * requests))
        out=$(predict greedy)
        write_bytes even $((8 * requests))
        predicted=$(awk "BEGIN { printf \"%.3f\", $hosts * $requests / ($out + $(predict greedy)) / 1000 }")
    fi
    echo "words-$1: million requests a second, measured${predicted:+ and predicted}"
    measure words "$1" "$requests" "s/^\(combining\|separate\).*/&${predicted:+  $predicted}/"
}

for pattern in $patterns; do
    case $pattern in
    words-*) memory "${pattern#words-}" ;;
    *) exchange "$pattern" ;;
    esac
done
