# shellcheck shell=bash
# help: what the commands do.

run_help() {
  cat <<'TEXT'
./berth up              build if needed, start the whole local stack, print the addresses
./berth up --replicas N   the same with N replicas of the API and orchestrator, on ports 8080, 8081, …; with 0 the servers
                        alone: workflows stand still
./berth down [--wipe]   stop it and leave no process behind; --wipe also removes its data
./berth demo            three users trade in three processes, one is killed and recovered
./berth bench [PART...] measure on a stack of its own, beside the goals: starts by step (cold, claim), an order's way
                        (orders) and orders under load (load) by default; cost, kills, fleet, orchestrator, switch, flood, gateways, streams, remote,
                        fix (orders over FIX beside REST), tracing (orders with and without exported spans), reads (orders and claims while every account is read),
                        simulate (the idle workers of a cell, as stubs), sweep;
                        --full: every part, or those named, in full counts; isolation: cold starts and memory of workers as process
                        and as container, in turn (root, runc; ./berth image first);
                        --seed=N: choose at random as that run did; -o json: a line of JSON a row;
                        --check: those with a baseline in the same run; ends with 1 when a ratio misses its goal
./berth bench plot A.json B.json   draw the medians of two such runs beside each other, as SVG
./berth chaos [--minutes N] [--seed S] [--faults KIND,...] [--plan]   ten users trade on a stack of its own for N
                        minutes (5), while about every 6 s something fails: workers, API, Temporal, PostgreSQL, Redis, SQS,
                        ECS, gateway are killed or stand still; messages come late, twice or never; Redis loses its data; the venue
                        errs. Then as ./berth verify. --plan only prints what would happen; the same seed, the same plan.
                        Full disks are not among it. Ends with 0: no promise broken; 1: some, and its stack is kept,
                        or it proved nothing; 2: wrong usage
./berth image [--base=IMAGE]   OCI archives of API and worker in target/images, with Java by jlink or on that image (by digest);
                        then BERTH_LOCAL_ISOLATION=container ./berth up runs workers as containers (root, runc)
./berth test            every test but the long ones, real servers included; it ends with what was skipped and why, which
                        behaviours are proven, and the number of tests
./berth test --fast     the tests that need no stack
./berth test --long [PART]   the long ones, in parts of at most an hour: modules, stacks, alarms, or a test class; without
                        PART those that have not passed since the last change
./berth token SUBJECT [--scope S]   a bearer token for the local stack, of a user id or any other subject

For operators; -o json prints what the API answered:
./berth info            the fleet in numbers; -W lists every worker with epoch, version, birth, queue and order in hand,
                        --state S those in one state (as the index has it: not processing), 1,000 at a time;
                        --cursor C goes on
./berth explain USER|USER:ORDER   the state of a user's worker, or of an order, the reason, where it waits, and the
                        next action
./berth events [--user USER] [--order ID] [--symbol S] [--kind KIND] [--text TEXT] [--from TIME] [--to TIME] [--limit N]
                        [--cursor C]   what happened to orders and workers, newest first. Kinds: queued, processing,
                        declined, retry, unknown, working, changing, completed, failed, worker
./berth suspend USER|--all --reason R    end the worker, start none until: resume USER|--all [--reason R]
./berth stop USER [--reason R]           end the worker; the next order starts another
./berth upgrade --plan   which workers run which revision of their task definition, and what an upgrade does
./berth upgrade [--rate PER-MINUTE] [--user USER] --reason R   hand the running workers over to the revision that new
                        workers get, or that of USER alone: each between two orders, to a process that is ready; --stop
                        ends it. Roll-back: the same, after the earlier revision was registered again
./berth attention [--kind order|worker|workflow] [--user USER] [--limit N] [--cursor C]   what needs attention, and whether
                        it can be requeued
./berth requeue --all|USER:ORDER... [--dry-run] --reason R   send failed orders through their workflows again, up
                        to 1,000 a call; begin with --dry-run. Each line says what became of one
./berth resolve USER:ORDER --absent|--venue-order-id V --reason R   tell what became of an order whose reason is
                        unresolved: the broker does not have it, or has it under that id
./berth kill-switch on|off --all|--user U|--broker B --reason R    stop every order before it is sent; cancels
                        work; without arguments: how the switches stand. --cancel cancels the open orders that it stops, too,
                        but for stops that protect a position; --exits those as well; ends when each is over or listed
./berth audit [--user U] [--actor A] [--action ACTION] [--limit N] [--after ROW]   who did what, newest first
./berth audit --verify [--expect-head HEAD]   checks every row. Ends with 0: intact, and prints the head, to be kept
                        elsewhere; 1: a row was changed or removed, and which (or the API refused). Rows removed at
                        the end are found only with the head of an earlier check
./berth user SUBJECT    the user id of a subject of the identity provider, for the other commands
./berth me              who BERTH_TOKEN is of, to Berth, and what it permits
./berth archive [run]   closed orders that left PostgreSQL for files, newest file first; run archives now what is due
./berth group [GROUP [add|remove USER]]   groups of users with workers of their own kind, the users of one, or a move,
                        which counts from the next start of that user's worker on
./berth pool plan       how many idle workers the pool keeps in the next 24 hours, by exchanges and demand, and why

./berth replay [--build PATH] WORKFLOW-ID [--run RUN-ID] [--file HISTORY.json]   tells what happened in a workflow such as order:alice:o-1,
                        step by step, and replays it with the code of today. Ends with 0: same, 1: differs at an event,
                        2: no such workflow, or wrong usage

./berth temporal ARGUMENT...   Temporal's command line on the local stack, with payloads decoded, such as:
                        ./berth temporal workflow show --workflow-id order:alice:o-1

For traders; each acts for USER, or for whom BERTH_TOKEN belongs to:
./berth order --user USER submit --symbol AAPL --side buy --type market --quantity 1 [--limit-price P] [--stop-price P]
                        [--id ID] [--time-in-force day] [--priority 1..5] [--within PT120S] [--account B/M/E/A] [--wait S]
./berth order --user USER get|cancel|events|fills ID     events --follow: live, until the order is final
./berth order --user USER cancel-all [--account B/M/E/A] [--symbol S] [--side buy|sell]   cancel everything that matches,
                        made here or elsewhere; ends when each is over or listed
./berth order --user USER replace ID [--quantity Q] [--limit-price P] [--stop-price P]
./berth order --user USER list [--status S]... [--symbol S] [--since TIME] [--until TIME] [--limit N] [--cursor C]
./berth account --user USER [B/M/E/A] [--fresh]   balances, positions and open orders as the worker reported them last, of the
                        first account without B/M/E/A; --fresh asks the broker through the worker, which it starts
./berth account --user USER cancel VENUE-ORDER-ID [B/M/E/A]   cancel an order by the venue's id, also one made elsewhere
./berth account --user USER close [B/M/E/A] [--symbol S] [--key K]   close positions at market; the same key closes once
./berth account --user USER statement DATE [B/M/E/A]   what changed an account on a day (UTC), and whether that explains what the
                        broker reported; -o csv too
./berth fills --user USER [--account B/M/E/A] [--symbol S] [--from TIME] [--to TIME] [--limit N] [--cursor C]   executions over
                        accounts, newest first; -o csv: all of them
./berth webhook --user USER put NAME URL [--event order.final|order.failed|order.attention]... [--secret S]   tell a server of
                        yours, signed as Standard Webhooks says; shows the secret, this once. Without --event: order.failed.
                        --fleet instead of --user USER, for operators, of all users: order.failed, order.attention,
                        worker.attention, kill_switch.changed, alarm.firing, alarm.resolved
./berth webhook --user USER|--fleet test|messages|redeliver|remove NAME, or list   send a test message; what is not delivered yet;
                        send what was given up again
  All of these end with 0: done, 1: refused or failed, 2: wrong usage, 3: the API is not reachable.
  BERTH_API_URL and BERTH_TOKEN (for operators: scope fleet) name another API than the local stack's.
./berth capacity --host-cpu UNITS --host-memory MIB   how many workers fit on a host, and what limits them;
                        also --task-cpu 64, --task-memory 384, --task-memory-hard 1024, --per-host 30
./berth synth [--set SIZE=VALUE]... [--sizes]   writes the CloudFormation templates of an AWS account to target/cdk.out/,
                        checked by cdk-nag; needs Node.js. --sizes lists what can be set
./berth cost [--set SIZE=VALUE]... [USERS...]   what such an account costs a month, by line, from the price list that it
                        names; --set groups=gold,free adds the hosts of groups
./berth verify [-o json] [--wait S] [--user USER]... [--tolerate FROM/TO]...   compares Temporal, PostgreSQL and the
                        venue's book and arrivals, and prints each broken promise with its evidence; waits up to S
                        seconds (30) for what is under way; in a freeze of yours lateness and repeats are tolerated.
                        Ends with 0: none broken, 1: some, 2: wrong usage, 3: not reachable
TEXT
}
