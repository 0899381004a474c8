# shellcheck shell=bash
# shellcheck disable=SC2034 # Other files read what is set here.
# What this machine must have, each with what to do when it is missing.

is_jdk25() { [[ -x $1/bin/javac && -f $1/release && $(<"$1/release") == *'JAVA_VERSION="25'* ]]; }

# Sets JAVA, and JAVA_HOME for Maven.
find_jdk() {
  local on_path candidate
  if [[ -n ${JAVA_HOME:-} ]] && is_jdk25 "$JAVA_HOME"; then
    JAVA=$JAVA_HOME/bin/java
    return
  fi
  on_path=$(command -v javac || true)
  for candidate in "${on_path:+$(dirname "$(dirname "$(readlink -f "$on_path")")")}" \
    /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*; do
    if [[ -n $candidate ]] && is_jdk25 "$candidate"; then
      export JAVA_HOME=$candidate
      JAVA=$JAVA_HOME/bin/java
      return
    fi
  done
  die "no JDK 25 was found (looked at JAVA_HOME, PATH and the usual folders)." \
    "Install one, such as Eclipse Temurin 25, or set JAVA_HOME to it, and try again."
}

# need PROGRAM NAME
need() { command -v "$1" >/dev/null || die "$1 was not found." "Install $2 and try again."; }

# Sets MAVEN.
need_maven() {
  need mvn "Maven 3.8 or later"
  MAVEN=(mvn -B)
  # Java takes the home folder from passwd. Without one that can be written, the libraries are kept
  # here.
  (unset HOME && [[ -w ~ ]]) || MAVEN+=(-Dmaven.repo.local="$ROOT/.berth/m2")
}

need_files() {
  [[ $(ulimit -n) == unlimited ]] || (($(ulimit -n) >= 1024)) ||
    die "a process may have only $(ulimit -n) open files." \
      "Raise the hard limit (ulimit -H -n) to 1024 or more and try again."
}

# Another one than that of procps, such as busybox's, lacks what finds the processes of a stack.
need_ps() {
  ps -ww -o args= -p $$ >/dev/null 2>&1 || die "ps of procps was not found." "Install the package procps and try again."
}

# What the servers of a stack need of the machine and of the folders.
need_for_servers() {
  need_ps
  [[ $STATE != *[%#?]* ]] || die "Temporal's database cannot lie in $STATE: the path has one of %, # and ?." \
    "Set BERTH_HOME to another folder."
  [[ $ROOT != *:* ]] || die "$ROOT has a colon, which parts the entries of Java's class path." "Move the checkout."
  id -un >/dev/null 2>&1 || die "the user $(id -u) has no name in passwd, and PostgreSQL starts for none without."
  # PostgreSQL refuses to run as root, so it gets a user namespace.
  [[ $(uname -s) != Linux || $(id -u) != 0 ]] || unshare -U true 2>/dev/null ||
    die "PostgreSQL does not run as root, and this machine permits root no user namespace." \
      "Run this as another user; or start the container with --security-opt seccomp=unconfined."
}
