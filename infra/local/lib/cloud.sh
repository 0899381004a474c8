# shellcheck shell=bash
# The programs about an AWS account. Their module is built apart: its libraries are 130 MB, and `up`
# needs none of them.
load lib/build

build_cloud() {
  make_folders
  find_jdk
  build >&2
  local module=$ROOT/$CLOUD_MODULE
  [[ ! -f $module/target/classpath || -n $(find "$module/pom.xml" "$module/src/main" "$BUILT" \
    -newer "$module/target/classpath" -print -quit) ]] || return 0
  need_maven
  package build-aws -Paws -pl "$CLOUD_MODULE" -am ||
    die "the build failed; the end of $LOG/build-aws.log:" "$(tail -n 15 "$LOG/build-aws.log")"
}

# cloud_java MAIN ARGUMENT...
cloud_java() {
  build_cloud
  "$JAVA" "${SMALL[@]}" "${QUIET[@]}" -cp "$(classpath "$CLOUD_MODULE")" "$@"
}
