# shellcheck shell=bash
# Workers as containers: what they need, whether the images are those of this build, and what they
# leave behind.
load lib/modules lib/environment

# need_for_containers PROGRAM...
need_for_containers() {
  local program missing=()
  [[ $(uname -s) == Linux ]] || die "containers run on Linux only." \
    "BERTH_LOCAL_ISOLATION=process, the default, needs nothing."
  [[ $(id -u) == 0 ]] || die "containers need root: their limits and networks are the kernel's." \
    "Run this as root, or use BERTH_LOCAL_ISOLATION=process, the default."
  for program in "$@"; do command -v "$program" >/dev/null || missing+=("$program"); done
  [[ -f /usr/share/containers/seccomp.json || -f /etc/containers/seccomp.json ]] || missing+=("podman's seccomp.json")
  ((${#missing[@]} == 0)) || die "not found: ${missing[*]}." \
    "On Debian: apt-get install buildah runc iptables iproute2 golang-github-containers-common"
}

# Whether the images are those of this build.
images_are_current() {
  [[ -f $IMAGES/built && $(<"$IMAGES/built") == "$(images_key)" ]]
}

# Of all that the images are made of.
images_key() {
  (
    cd "$ROOT" || exit
    cksum infra/images/build infra/images/*/{jvm,Containerfile} infra/local/lib/modules.sh pom.xml \
      "$SERVER_MODULE/pom.xml" "$WORKER_MODULE/pom.xml" 2>/dev/null
    { own_jars "$SERVER_MODULE" && own_jars "$WORKER_MODULE"; } |
      while IFS= read -r jar; do cksum "${jar#"$ROOT/"}"; done
  ) | cksum
}

require_images() {
  [[ $BERTH_LOCAL_ISOLATION == container ]] || return 0
  need_for_containers runc ip iptables bridge nsenter
  [[ ${BERTH_OWN_STACK:-} == image ]] || images_are_current ||
    die "the images are not those of this build." "./berth image"
}

# The containers of a local ECS that was killed, and their networks.
remove_containers() {
  local runc=$STATE/data/ecs/runc container
  [[ -d $runc ]] || return 0
  for container in "$runc"/*; do
    [[ ! -d $container ]] || runc --root "$runc" delete --force "${container##*/}" >/dev/null 2>&1 || true
  done
  sh "$ROOT/$CONTAINER_NETWORK" down "$BERTH_ECS_PORT" >/dev/null 2>&1 || true
  rm -rf "$runc" "$STATE/data/ecs/bundles"
}
