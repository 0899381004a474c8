# shellcheck shell=bash
# temporal ARGUMENT...: Temporal's command line on the local stack, which decodes through the API.
load lib/build lib/temporal lib/cli

run_temporal() {
  need_module "$CLI_MODULE"
  find_temporal
  clean_environment
  # No process list shows the token.
  TEMPORAL_CODEC_AUTH="Bearer $(exec_cli token operator --scope codec:read)"
  export TEMPORAL_CODEC_AUTH TEMPORAL_CODEC_ENDPOINT=http://127.0.0.1:$BERTH_API_PORT/codec
  temporal_cli "$@" --namespace berth
}
