# shellcheck shell=bash
# The operators' commands of `berth`, over REST. Sourced by it.
# Exit codes: 0 done; 1 refused or failed, the reason is on standard error; 2 wrong usage; 3 the API is not reachable.

: "${BERTH_API_URL:=http://127.0.0.1:$BERTH_API_PORT}"

fleet_usage() {
  printf 'berth: %s\n       ./berth help lists the commands.\n' "$1" >&2
  exit 2
}

# A token can be given; else this machine signs one for whoever is logged in. It never stands on a command line.
fleet_token() {
  [[ -n ${BERTH_TOKEN:-} ]] || BERTH_TOKEN=$(token "$(id -un | tr -cd 'A-Za-z0-9._-')" --scope fleet)
}

# fleet_call METHOD PATH [BODY [HEADER]]: prints the answer: words for a person, or JSON for OUTPUT or ANSWER=json.
# It may take CALL_SECONDS.
fleet_call() {
  local accept='text/plain, application/json;q=0.9, application/problem+json;q=0.8' answer status
  [[ $OUTPUT == json || ${ANSWER:-} == json ]] && accept='application/json, application/problem+json'
  fleet_token
  answer=$(curl --noproxy '127.0.0.1,localhost' -sS --max-time "${CALL_SECONDS:-30}" -X "$1" -H "Accept: $accept" ${4:+-H "$4"} \
    -H 'Content-Type: application/json' -H @<(printf 'Authorization: Bearer %s\n' "$BERTH_TOKEN") \
    ${3:+--data-binary "$3"} -w '\n%{http_code}' "$BERTH_API_URL$2") || {
    printf 'berth: the API at %s is not reachable. Locally: ./berth up\n' "$BERTH_API_URL" >&2
    exit 3
  }
  status=${answer##*$'\n'}
  answer=${answer%$'\n'*}
  if ((status >= 400)); then
    [[ $OUTPUT == json ]] && say "$answer"
    printf 'berth: refused (%s): %s\n' "$status" "$(json_text detail "$answer")" >&2
    exit 1
  fi
  say "${answer%$'\n'}"
}

# The first text of that name in a JSON document.
json_text() { sed -n "s/.*\"$1\":\"\\(\\([^\"\\\\]\\|\\\\.\\)*\\)\".*/\\1/p" <<<"$2" | head -n 1; }

# A text as JSON.
json_string() {
  local text=${1//[[:cntrl:]]/ }
  text=${text//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

# {"reason": ...}
fleet_body() { printf '{"reason":%s}' "$(json_string "$1")"; }

fleet_options() {
  OUTPUT=text REASON='' TARGET='' WORKERS='' STATE_ASKED='' CURSOR=''
  while (($#)); do
    case $1 in
      -o | --output) OUTPUT=${2:-} && shift ;;
      --reason) REASON=${2:-} && shift ;;
      --state) STATE_ASKED=$(tr a-z A-Z <<<"${2:-}") && shift ;;
      --cursor) CURSOR=${2:-} && shift ;;
      -W | --workers) WORKERS=1 ;;
      --all) TARGET=--all ;;
      -*) fleet_usage "there is no option '$1'." ;;
      *)
        [[ -z $TARGET ]] || fleet_usage "one user at a time; '$1' is too many."
        [[ $1 =~ ^[a-z0-9][a-z0-9-]{0,62}$ ]] || fleet_usage "'$1' is no user id."
        TARGET=$1
        ;;
    esac
    (($#)) && shift
  done
  [[ $OUTPUT == text || $OUTPUT == json ]] || fleet_usage "the output is text or json."
  [[ $STATE_ASKED =~ ^[A-Za-z_]*$ ]] || fleet_usage "'$STATE_ASKED' is no state."
  [[ $CURSOR =~ ^[A-Za-z0-9_-]*$ ]] || fleet_usage "'$CURSOR' is no cursor."
}

fleet_info() {
  [[ -z $TARGET ]] || fleet_usage "info is about all; ./berth explain $TARGET is about one user."
  if [[ -n $WORKERS || -n $STATE_ASKED || -n $CURSOR ]]; then
    fleet_call GET "/v1/fleet/workers?limit=1000${STATE_ASKED:+&state=$STATE_ASKED}${CURSOR:+&cursor=$CURSOR}"
  else
    fleet_call GET /v1/fleet
  fi
}

fleet_explain() {
  [[ -n $TARGET && $TARGET != --all ]] || fleet_usage "explain whom? ./berth explain USER"
  fleet_call GET "/v1/fleet/explain/$TARGET"
}

# fleet_do suspend|resume|stop
fleet_do() {
  local answer path=/v1/fleet/workers/$TARGET:$1
  [[ -n $TARGET ]] || fleet_usage "$1 whom? ./berth $1 USER --reason R"
  if [[ $TARGET == --all ]]; then
    [[ $1 != stop ]] || fleet_usage "stop takes one user; suspend --all ends all workers, and holds back new ones."
    path=/v1/fleet/workers:$1
  fi
  [[ -n $REASON || $1 != suspend ]] || fleet_usage "a suspension needs a reason, which its user will see: --reason R"
  answer=$(ANSWER=json fleet_call POST "$path" "$(fleet_body "${REASON:-no reason given}")") || {
    local status=$?
    [[ -z $answer ]] || say "$answer"
    exit "$status"
  }
  if [[ $OUTPUT == json ]]; then
    say "$answer"
  elif [[ $TARGET == --all ]]; then
    say "Told all to $1. Follow it with ./berth info."
  else
    say "Told $TARGET to $1; its worker is $(json_text state "$answer") by now. Follow it with ./berth explain $TARGET."
  fi
}

# fleet_requeue --all|ID... [--dry-run] --reason R
fleet_requeue() {
  local ids='' all='' dry=false
  OUTPUT=text REASON=''
  while (($#)); do
    case $1 in
      -o | --output) OUTPUT=${2:-} && shift ;;
      --reason) REASON=${2:-} && shift ;;
      --all) all=1 ;;
      --dry-run) dry=true ;;
      -*) fleet_usage "there is no option '$1'." ;;
      *)
        [[ $1 =~ ^[a-z0-9][a-z0-9-]{0,62}:[A-Za-z0-9._-]{1,64}$ ]] || fleet_usage "'$1' is no USER:ORDER."
        ids+="${ids:+,}\"$1\""
        ;;
    esac
    (($#)) && shift
  done
  [[ $OUTPUT == text || $OUTPUT == json ]] || fleet_usage "the output is text or json."
  [[ -n $all || -n $ids ]] || fleet_usage "requeue what? ./berth requeue --all|USER:ORDER... --reason R"
  [[ -z $all || -z $ids ]] || fleet_usage "name orders, or say --all."
  [[ -n $REASON ]] || fleet_usage "a requeue needs a reason, which stands in the log of each order: --reason R"
  # The API paces them: 1,000 take 50 s.
  CALL_SECONDS=120 fleet_call POST /v1/fleet/attention:requeue \
    "{${all:+\"all\":true}${ids:+\"ids\":[$ids]},\"dryRun\":$dry,\"reason\":$(json_string "$REASON")}"
}

# fleet_attention [--kind order|worker] [--user USER] [--limit N] [--cursor C]
fleet_attention() {
  local query=''
  OUTPUT=text
  while (($#)); do
    case $1 in
      -o | --output) OUTPUT=${2:-} && shift ;;
      --kind | --user | --limit | --cursor)
        [[ ${2:-} =~ ^[A-Za-z0-9_-]+$ ]] || fleet_usage "'${2:-}' is no value of $1."
        [[ $1 == --user ]] && query+="&userId=$2" || query+="&${1#--}=$2"
        shift
        ;;
      *) fleet_usage "attention takes --kind, --user, --limit and --cursor, not '$1'." ;;
    esac
    (($#)) && shift
  done
  [[ $OUTPUT == text || $OUTPUT == json ]] || fleet_usage "the output is text or json."
  fleet_call GET "/v1/fleet/attention?$query"
}

# kill_switch on|off --all|--user U|--broker B --reason R; without arguments it shows them.
kill_switch() {
  local state='' whom='' who='' body reason answer
  OUTPUT=text
  while (($#)); do
    case $1 in
      on | off) state=$1 ;;
      --all) whom=all ;;
      --user) whom=user who="\"userId\":\"${2:-}\"," && shift ;;
      --broker) whom=broker who="\"broker\":\"${2:-}\"," && shift ;;
      --reason) reason=${2:-} && shift ;;
      -o | --output) OUTPUT=${2:-} && shift ;;
      *) fleet_usage "kill-switch does not take '$1'." ;;
    esac
    (($#)) && shift
  done
  [[ $OUTPUT == text || $OUTPUT == json ]] || fleet_usage "the output is text or json."
  if [[ -z $state$whom ]]; then
    fleet_call GET /v1/fleet/kill-switch
    return
  fi
  [[ -n $state ]] || fleet_usage "on or off? ./berth kill-switch on --user U --reason R"
  [[ -n $whom ]] || fleet_usage "whose? --all, --user U or --broker B"
  [[ $who != *[^A-Za-z0-9_\":,-]* ]] || fleet_usage "that is no name of a user or broker."
  [[ -n ${reason:-} ]] || fleet_usage "a switch needs a reason, which users will see: --reason R"
  body=$(fleet_body "$reason")
  body="{\"level\":\"$whom\",$who\"on\":$([[ $state == on ]] && echo true || echo false),${body#\{}"
  answer=$(ANSWER=json fleet_call PUT /v1/fleet/kill-switch "$body") || {
    local status=$?
    [[ -z $answer ]] || say "$answer"
    exit "$status"
  }
  if [[ $OUTPUT == json ]]; then say "$answer"; else say "The kill switch is $state. All: ./berth kill-switch"; fi
}

fleet() {
  local command=$1
  shift
  need curl curl
  case $command in
    requeue | attention)
      "fleet_$command" "$@"
      return
      ;;
    kill-switch)
      kill_switch "$@"
      return
      ;;
  esac
  fleet_options "$@"
  case $command in
    info) fleet_info ;;
    explain) fleet_explain ;;
    *) fleet_do "$command" ;;
  esac
}
