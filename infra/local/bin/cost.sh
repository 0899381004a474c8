# shellcheck shell=bash
# cost [--set SIZE=VALUE]... [USERS...]: what such an AWS account costs a month.
load lib/cloud

run_cost() { cloud_java "$COST_MAIN" "$@"; }
