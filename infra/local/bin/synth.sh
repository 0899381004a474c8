# shellcheck shell=bash
# synth [--set SIZE=VALUE]... [--sizes]: writes the CloudFormation templates of an AWS account.
load lib/cloud

run_synth() {
  need node "Node.js 20 or later, which the CDK runs in"
  cloud_java "$CLOUD_MAIN" "$ROOT/target/cdk.out" "$@"
  [[ " $* " == *" --sizes "* ]] ||
    say "The templates are in $ROOT/target/cdk.out; docs/cloud.md says how to deploy them."
}
