# shellcheck shell=bash
# image [--base=IMAGE]: OCI archives of API and worker in target/images. Containers train their
# class archives.
load bin/up

run_image() {
  local base=
  case ${1:-} in
    '') ;;
    --base=?*) base=${1#--base=} ;;
    *) die "there is no '$1' for an image." "Usage: ./berth image [--base=IMAGE]" ;;
  esac
  [[ -z $base || $base =~ @sha256:[0-9a-f]{64}$ ]] || die "'$base' may be another image tomorrow: name it by digest." \
    "skopeo inspect --format '{{.Name}}@{{.Digest}}' docker://$base prints it."
  need_for_containers buildah runc ip iptables bridge nsenter
  on_own_stack image "$@"
  prepare
  # Of a run that failed, whose logs were kept.
  down --wipe >/dev/null
  make_folders
  trap 'down >/dev/null' EXIT
  trap 'exit 130' INT TERM
  bill_of_materials
  step "building the images"
  build_images app ${base:+"$base"}
  done_step
  train_images
  step "writing the OCI archives"
  build_images final
  images_key >"$IMAGES/built"
  done_step
  cat "$IMAGES/ids"
}

build_images() {
  "$ROOT/infra/images/build" "$@" >"$LOG/image.log" 2>&1 ||
    die "the build failed; the end of $LOG/image.log:" "$(end_of image)"
}

# Of all modules, as a release has it. The plugin does not run offline.
bill_of_materials() {
  [[ -f $ROOT/target/berth.cdx.json && -z $(newer_than "$ROOT/target/berth.cdx.json" -name pom.xml) ]] && return
  step "writing the bill of materials"
  need_maven
  package sbom -Psbom || die "the bill of materials failed; the end of $LOG/sbom.log:" "$(end_of sbom)"
  touch "$BUILT"
  done_step
}

# A class archive differs from run to run, so it is kept while the image without it is the same.
train_images() {
  local name key
  key=$(cat "$IMAGES"/*/app.id)
  [[ -f $IMAGES/trained && $(<"$IMAGES/trained") == "$key" &&
    -f $IMAGES/worker/classes.aot && -f $IMAGES/api/classes.aot ]] && return
  rm -f "$IMAGES/trained"
  for name in worker api; do
    rm -rf "$IMAGES/$name/archive"
    mkdir -p "$IMAGES/$name/archive"
    chmod 0777 "$IMAGES/$name/archive"
  done
  step "training their class archives, in containers"
  (train_in_containers) >"$LOG/train.log" 2>&1 ||
    die "the training failed; the end of $LOG/train.log:" "$(end_of train)"
  down >/dev/null
  for name in worker api; do mv "$IMAGES/$name/archive/classes.aot" "$IMAGES/$name/classes.aot"; done
  echo "$key" >"$IMAGES/trained"
  done_step
}

train_in_containers() {
  export BERTH_BUILT=1 BERTH_LOCAL_ISOLATION=container BERTH_POOL_TARGET=0 BERTH_VENUE_REQUESTS_PER_MINUTE=1000000
  up
  local_server train || return
  # The image's user reads the keys of this stack, which ends now. The folder stays root's:
  # PostgreSQL has its libraries there, and runs in a user namespace in which the image's user does
  # not exist.
  chown -R 10001:10001 "$STATE"/{*.key,gateway}
  chmod 0711 "$STATE"
  training_environment
  stop gateway-watch
  stop api
  stop gateway
  local_server train-api || return
  chmod 0700 "$STATE"
}
