# shellcheck shell=bash
# The traders' commands of `berth`, over REST. Sourced by it, after fleet.sh, whose calls and exit codes these are.

# order_field OPTION: the field of the order's JSON that it gives.
order_field() {
  case $1 in
    --symbol | --side | --type | --quantity) printf '%s' "${1#--}" ;;
    --limit-price) printf limitPrice ;;
    --stop-price) printf stopPrice ;;
    --id) printf clientOrderId ;;
    --time-in-force) printf timeInForce ;;
    --within) printf dispatchWithin ;;
    *) fleet_usage "there is no option '$1'." ;;
  esac
}

order_options() {
  local field value
  OUTPUT=text USER_ASKED='' VERB='' ID='' WAIT='' FOLLOW='' QUERY='' PRIORITY='' SYMBOL=''
  ACCOUNT=alpaca/equity/paper/paper FIELDS=''
  while (($#)); do
    case $1 in
      -o | --output) OUTPUT=${2:-} && shift ;;
      --user) USER_ASKED=${2:-} && shift ;;
      --wait) WAIT=${2:-} && shift ;;
      --follow) FOLLOW=1 ;;
      --account) ACCOUNT=${2:-} && shift ;;
      --priority) PRIORITY=${2:-} && shift ;;
      --status | --since | --until | --limit | --cursor)
        [[ ${2:-} =~ ^[A-Za-z0-9_.:+-]+$ ]] || fleet_usage "'${2:-}' is no value of $1."
        value=${2//+/%2B}
        [[ $1 != --status ]] || value=$(tr a-z- A-Z_ <<<"$value")
        QUERY+="&${1#--}=$value" && shift
        ;;
      --*)
        field=$(order_field "$1")
        [[ -n ${2:-} ]] || fleet_usage "a value of $1 is missing."
        FIELDS+="${FIELDS:+,}\"$field\":$(json_string "$2")"
        [[ $1 != --symbol || ! $2 =~ ^[A-Za-z0-9.]+$ ]] || SYMBOL=$2
        shift
        ;;
      -*) fleet_usage "there is no option '$1'." ;;
      *)
        if [[ -z $VERB ]]; then
          VERB=$1
        elif [[ -z $ID && $1 =~ ^[A-Za-z0-9._-]{1,64}$ ]]; then
          ID=$1
        else
          fleet_usage "'$1' is too many, or no order id."
        fi
        ;;
    esac
    (($#)) && shift
  done
  [[ $OUTPUT == text || $OUTPUT == json ]] || fleet_usage "the output is text or json."
  [[ $WAIT =~ ^[0-9]{0,2}$ ]] || fleet_usage "--wait takes seconds, up to 60."
  [[ $PRIORITY =~ ^[1-5]?$ ]] || fleet_usage "--priority is 1 (first) to 5."
}

order_submit() {
  local broker market environment account more header=''
  [[ -z $ID ]] || fleet_usage "submit names its order with --id."
  IFS=/ read -r broker market environment account <<<"$ACCOUNT"
  [[ -n $account ]] || fleet_usage "an account is BROKER/MARKET/ENVIRONMENT/ACCOUNT."
  more=$(printf '"account":{"broker":%s,"market":%s,"environment":%s,"accountId":%s}' "$(json_string "$broker")" \
    "$(json_string "$market")" "$(json_string "$environment")" "$(json_string "$account")")
  [[ $FIELDS == *'"timeInForce":'* ]] || more+=',"timeInForce":"day"'
  [[ -z $PRIORITY ]] || more+=",\"priority\":$PRIORITY"
  [[ -z $WAIT ]] || header="Prefer: wait=$WAIT"
  CALL_SECONDS=90 fleet_call POST /v1/orders "{$FIELDS${FIELDS:+,}$more}" "$header"
}

# Live: one line a step, until the order is final.
order_follow() {
  local line step
  fleet_token
  # What is refused is refused here, and a stream that breaks is a failure.
  fleet_call GET "/v1/orders/$ID" >/dev/null
  curl --noproxy '127.0.0.1,localhost' -sSN -H 'Accept: text/event-stream' \
    -H @<(printf 'Authorization: Bearer %s\n' "$BERTH_TOKEN") --fail "$BERTH_API_URL/v1/orders/$ID/events" |
    while IFS= read -r line; do
      [[ $line == data:* ]] || continue
      step=${line#data: }
      if [[ $OUTPUT == json ]]; then
        say "$step"
      else
        say "$(json_text at "$step")  $ID  $(json_text status "$step")  $(json_text filledQuantity "$step") filled" \
          " $(json_text reason "$step")"
      fi
    done || {
    printf 'berth: the stream broke; follow it again.\n' >&2
    exit 1
  }
}

order() {
  need curl curl
  order_options "$@"
  case $VERB in
    submit | list) ;;
    get | cancel | replace | events | fills) [[ -n $ID ]] || fleet_usage "$VERB which order? ./berth order $VERB ID" ;;
    *) fleet_usage "an order is to submit, get, list, cancel, replace, events or fills, not '$VERB'." ;;
  esac
  if [[ -z ${BERTH_TOKEN:-} ]]; then
    [[ $USER_ASKED =~ ^[a-z0-9][a-z0-9-]{0,62}$ ]] || fleet_usage "whose order? ./berth order --user USER $VERB"
    BERTH_TOKEN=$(token "$USER_ASKED")
  fi
  case $VERB in
    submit) order_submit ;;
    list) fleet_call GET "/v1/orders?${SYMBOL:+symbol=$SYMBOL}$QUERY" ;;
    get) fleet_call GET "/v1/orders/$ID" ;;
    cancel) fleet_call DELETE "/v1/orders/$ID" ;;
    fills) fleet_call GET "/v1/orders/$ID/fills" ;;
    replace)
      [[ -n $FIELDS ]] || fleet_usage "replace what? --quantity, --limit-price or --stop-price"
      fleet_call PATCH "/v1/orders/$ID" "{$FIELDS}"
      ;;
    events) if [[ -n $FOLLOW ]]; then order_follow; else fleet_call GET "/v1/orders/$ID/events"; fi ;;
  esac
}
