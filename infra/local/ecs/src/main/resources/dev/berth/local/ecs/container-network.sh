#!/bin/sh
# The network of containers: a bridge for each local ECS, a namespace for each task. From there a task reaches the
# ports of 127.0.0.1 that are named here, at that address, and the metadata at 169.254.170.2: nothing else.
#   container-network.sh up ECS-PORT METADATA-PORT PORT,...   bridge and rules of this machine; idempotent
#   container-network.sh add ECS-PORT NUMBER PORT,...         the namespace berth-ECS-PORT-NUMBER; NUMBER is 2 to 254
#   container-network.sh remove ECS-PORT NUMBER
#   container-network.sh down ECS-PORT                        removes all of it; idempotent
set -eu
action=$1 ecs=$2
bridge=berth$ecs chain=BERTH-$ecs
network=10.$((ecs >> 8)).$((ecs & 255))
gateway=$network.1

rule() {
  iptables -w -t "$1" -C "$2" -i "$bridge" -j "$chain" 2>/dev/null || iptables -w -t "$1" -I "$2" -i "$bridge" -j "$chain"
}

unrule() {
  while iptables -w -t "$1" -D "$2" -i "$bridge" -j "$chain" 2>/dev/null; do :; done
}

chain() { iptables -w -t "$1" -N "$chain" 2>/dev/null || iptables -w -t "$1" -F "$chain"; }

remove() {
  ip link delete "b$1" 2>/dev/null || true
  ip netns delete "berth-$1" 2>/dev/null || true
}

case $action in
  up)
    ip link add "$bridge" type bridge 2>/dev/null || true
    ip address replace "$gateway/24" dev "$bridge"
    ip link set "$bridge" up
    echo 1 >"/proc/sys/net/ipv4/conf/$bridge/route_localnet"
    chain nat
    iptables -w -t nat -A "$chain" -d "$gateway" -p tcp --dport 80 -j DNAT --to-destination "127.0.0.1:$3"
    iptables -w -t nat -A "$chain" -d "$gateway" -p tcp -m multiport --dports "$4" -j DNAT --to-destination 127.0.0.1
    chain filter
    iptables -w -A "$chain" -d 127.0.0.1 -p tcp -m multiport --dports "$3,$4" -j ACCEPT
    iptables -w -A "$chain" -j REJECT
    rule nat PREROUTING
    rule filter INPUT
    rule filter FORWARD
    ;;
  add)
    name=$ecs-$3
    remove "$name"
    ip netns add "berth-$name"
    ip link add "b$name" type veth peer name eth0 netns "berth-$name"
    ip link set "b$name" master "$bridge" up
    # Tasks do not reach one another.
    bridge link set dev "b$name" isolated on
    # No rule below is for IPv6, by whose link-local addresses the task would reach this machine.
    nsenter --net="/run/netns/berth-$name" sh -c 'echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6' 2>/dev/null || true
    ip -n "berth-$name" -batch - <<COMMANDS
link set lo up
address add $network.$3/24 dev eth0
link set eth0 up
route add 169.254.170.2 dev eth0
COMMANDS
    nsenter --net="/run/netns/berth-$name" sh -c \
      'echo 1 >/proc/sys/net/ipv4/conf/eth0/route_localnet && exec iptables-restore' <<RULES
*nat
-A OUTPUT -d 127.0.0.1/32 -p tcp -m multiport --dports $4 -j DNAT --to-destination $gateway
-A OUTPUT -d 169.254.170.2/32 -p tcp --dport 80 -j DNAT --to-destination $gateway
-A POSTROUTING -o eth0 -j MASQUERADE
COMMIT
*filter
:OUTPUT DROP [0:0]
-A OUTPUT -o lo -j ACCEPT
-A OUTPUT -d $gateway/32 -p tcp -m multiport --dports 80,$4 -j ACCEPT
-A OUTPUT -j REJECT
COMMIT
RULES
    ;;
  remove) remove "$ecs-$3" ;;
  down)
    for name in $(ip netns list 2>/dev/null | sed -n "s/^berth-\($ecs-[0-9]*\).*/\1/p"); do remove "$name"; done
    unrule nat PREROUTING
    unrule filter INPUT
    unrule filter FORWARD
    for table in nat filter; do
      iptables -w -t "$table" -F "$chain" 2>/dev/null || true
      iptables -w -t "$table" -X "$chain" 2>/dev/null || true
    done
    ip link delete "$bridge" 2>/dev/null || true
    ;;
esac
