package dev.berth.workflows;

import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Every Redis key, named in one place. */
public final class RedisKeys {
    /** Idle pool workers: task id, scored by when it became idle (milliseconds since the epoch). */
    public static final String POOL_IDLE = "pool:idle";
    /** In place of a user id: this process serves no user yet. */
    public static final String POOL_USER = "-1";
    /** How long a heartbeat lives without a renewal. */
    public static final Duration HEARTBEAT_TTL = Duration.ofSeconds(30);
    /** How often a live worker renews it. */
    public static final Duration HEARTBEAT_RENEWAL = Duration.ofSeconds(5);

    /**
     * Users with a heartbeat, each scored by when it runs out unless it is renewed (milliseconds
     * since the epoch).
     */
    public static final String HEARTBEATS = "worker:heartbeats";

    /**
     * The kill switches that are on, each as JSON: {@code all}, {@code broker:alpaca},
     * {@code user:alice}.
     */
    public static final String KILL_SWITCH = "kill-switch";
    /** The last quote of each symbol that some limit needs, as JSON. */
    public static final String QUOTES = "quotes";
    /** Exists while the limits of some account need quotes. */
    public static final String QUOTES_NEEDED = "quotes:needed";
    /** Symbols that accounts with limits ordered, scored by when (milliseconds). */
    public static final String QUOTES_WANTED = "quotes:wanted";
    /** Exists from the start of this second's read of the quotes until the second is over. */
    public static final String QUOTES_TURN = "quotes:turn";
    /** A hash of every account with limits, each as JSON by {@link #riskLimits}. */
    public static final String RISK_LIMITS = "risk-limits";
    /**
     * Version of the kill switches and limits that were copied here, a blank, and the digest of the
     * switches. Absent, or of other switches than those at {@link #KILL_SWITCH}: nothing is sent.
     */
    public static final String FLEET_LOADED = "fleet:loaded";
    /** A hash: who is suspended, as {@link dev.berth.workflows.risk.OrderHold} reads it. */
    public static final String HOLDS = "holds";
    /**
     * Orders without the venue's first answer: {@link #activeOrder}, scored by when they came
     * (milliseconds). Those of users whose worker is suspended or failed are not among them.
     */
    public static final String ACTIVE_ORDERS = "orders:active";

    /**
     * With the second (since the epoch) after it: how many active orders got their first answer
     * then.
     */
    public static final String DRAINED = "orders:drained:";
    /** With the second after it: how many orders were refused then, since too many were active. */
    public static final String REFUSED = "orders:refused:";

    /**
     * A hash: what the last sweeps saw only once in a row, and when first (milliseconds since the
     * epoch).
     */
    public static final String SUSPECTS = "maintenance:suspects";
    /**
     * A sorted set: the stops by sweeps and for void claims of the last minute, by when
     * (milliseconds since the epoch).
     */
    public static final String STOPS = "maintenance:stops";
    /** Written now and then, to see whether Redis takes writes. */
    public static final String WATCH = "redis:watch";

    /**
     * Versions of the task definition whose launch circuit is open, scored by until when
     * (milliseconds).
     */
    public static final String LAUNCH_CIRCUITS = "launch:circuits";

    /** With a replica's id after it: its entry, which says what it holds. */
    public static final String REPLICA = "ws:replica:";
    /** A sorted set: replicas, scored by when their entries end (milliseconds since the epoch). */
    public static final String REPLICAS = "ws:replicas";
    /** Channel on which the end of a replica's entry is announced: its id. */
    public static final String REPLICA_GONE = "ws:replica-gone";
    /** With a replica's id after it: a list of the requests to it. */
    public static final String REQUESTS = "ws:rpc:";

    /** With a replica's id after it: the channel of events for streams that it holds. */
    public static final String EVENTS = "ws:events:";

    /** As {@link #streams}, of replicas that hold a stream of all users' orders. */
    public static final String FLEET_STREAMS = "ws:streams";

    /** With the user id after it: {@link #heartbeat}. */
    public static final String HEARTBEAT = "worker:active:";

    private static final String POOL_HEARTBEAT = HEARTBEAT + POOL_USER + ":";
    /** Field of {@link #unserved}: orders wait outside the ceiling of all users. */
    public static final String WAITS = "*";
    /**
     * Channel on which a gateway passes on a claim whose worker does not wait there; JSON, as SQS
     * carries it.
     */
    public static final String CLAIMS = "gateway:claims";
    /**
     * A sorted set: the claims of the last minute, each as {@link #claim}, by when (milliseconds
     * since the epoch).
     */
    public static final String RECENT_CLAIMS = "pool:claims";
    /** As {@link #RECENT_CLAIMS}, of those that were void. */
    public static final String VOID_CLAIMS = "pool:claims:void";

    /**
     * Accounts with reports that are not in PostgreSQL yet, each as {@link #reportedAccount},
     * scored by when (milliseconds since the epoch).
     */
    public static final String REPORTED_ACCOUNTS = "account:reported";

    private static final String ACCOUNT_REPORTS = "account:reports:";

    /** Value of {@link #reserved}: this pool worker is retired. It takes no claim any more. */
    public static final String RETIRED = "retired";

    private RedisKeys() {}

    /** Tasks of this version whose launch failed, by when; with the other, the last results. */
    public static String launchFailures(String version) {
        return "launch:failed:" + version;
    }

    /** As {@link #launchFailures}, of those that started. */
    public static String launchSuccesses(String version) {
        return "launch:started:" + version;
    }

    /** The one launch of a half-open circuit is under way. */
    public static String launchPermit(String version) {
        return "launch:permit:" + version;
    }

    /** A hash: failed launches of this version by host. */
    public static String hostFailures(String version) {
        return "launch:failed-on:" + version;
    }

    /** The host that was drained for this version. */
    public static String drainedFor(String version) {
        return "launch:drained-for:" + version;
    }

    /** This host was drained, since launches failed on it. */
    public static String drainedHost(String host) {
        return "launch:drained:" + host;
    }

    /** The heartbeat of a user's live worker: its task id. */
    public static String heartbeat(UserId userId) {
        return HEARTBEAT + userId;
    }

    public static String poolHeartbeat(String taskId) {
        return POOL_HEARTBEAT + taskId;
    }

    /** Whose heartbeat it is; empty for every other key, a pool worker's heartbeat included. */
    public static Optional<UserId> userOfHeartbeat(String key) {
        return key.startsWith(HEARTBEAT) ? UserId.parse(key.substring(HEARTBEAT.length())) : Optional.empty();
    }

    public static boolean isPoolHeartbeat(String key) {
        return key.startsWith(POOL_HEARTBEAT);
    }

    /** What every heartbeat matches, users' and pool workers'. */
    public static String anyHeartbeat() {
        return HEARTBEAT + "*";
    }

    /** Whose pool heartbeat it is. */
    public static String taskOfPoolHeartbeat(String key) {
        return key.substring(POOL_HEARTBEAT.length());
    }

    /**
     * A hash: task_arn, instance_id, launched_at, epoch, version, host, pid; and what the worker
     * does: current_order (the client order id that it has in hand, the oldest of several; empty
     * when it has none), last_order_at (when it took its last order, RFC 3339; empty before the
     * first), idle_at (when it stops unless an order comes or works at a venue, RFC 3339; empty
     * while one is in hand), sessions (its accounts, by commas; empty before the first),
     * requests_used (of the broker's request limit, percent). What it does is written beside the
     * order, not before it, so it may be some milliseconds old.
     */
    public static String metadata(UserId userId) {
        return "worker:metadata:" + userId;
    }

    /** The highest epoch of the user; no TTL, only ever rises. */
    public static String epoch(UserId userId) {
        return "worker:epoch:" + userId;
    }

    /** The last epoch of the user that a stop ended: its worker sends nothing more. Only rises. */
    public static String stopped(UserId userId) {
        return "stopped:" + userId;
    }

    /**
     * When the user's worker last renewed its heartbeat: {@code epoch:milliseconds}, by Redis's
     * clock. Kept for 10 min.
     */
    public static String renewed(UserId userId) {
        return "worker:renewed:" + userId;
    }

    /**
     * A hash: why the user's orders cannot be served, by account; and {@link #WAITS} while the
     * worker is suspended or failed. Absent: they can.
     */
    public static String unserved(UserId userId) {
        return "worker:unserved:" + userId;
    }

    /** Which user a task serves. */
    public static String task(String taskId) {
        return "task:" + taskId;
    }

    /**
     * A claim for this pool worker is on its way, or it is {@link #RETIRED}: it is not to be listed
     * as idle. Value: that, or {@link #claim}.
     */
    public static String reserved(String taskId) {
        return "pool:reserved:" + taskId;
    }

    /** Whom a reserved pool worker is to serve, and with which epoch: {@code alice:7}. */
    public static String claim(UserId userId, long epoch) {
        return userId + ":" + epoch;
    }

    /** Whom a pool worker was bound to, once: {@link #claim}. Outlives its certificate. */
    public static String bound(String taskId) {
        return "gateway:bound:" + taskId;
    }

    /**
     * ECS was asked to stop this task, or said that it has stopped: no certificate and no user for
     * it. Kept for as long as two certificates are valid.
     */
    public static String stoppedTask(String taskId) {
        return "task:stopped:" + taskId;
    }

    /**
     * A hash: the task of one launch by its ARN, with its {@link #claim} (of a pool:
     * {@link #POOL_USER} with its group) and when it can enrol no longer (milliseconds since the
     * epoch); or that it has enrolled. The secret itself is stored nowhere.
     */
    public static String enrolment(String secretSha256) {
        return "enrolment:" + secretSha256;
    }

    /** A caller asked for this user's worker, for this account, within the last second. */
    public static String ensured(UserId userId, AccountKey account) {
        return "worker:ensured:" + userId + ":" + account;
    }

    /** All orders of one user without the venue's first answer, as in {@link #ACTIVE_ORDERS}. */
    public static String activeOrders(UserId userId) {
        return ACTIVE_ORDERS + ":" + userId;
    }

    /** An order in {@link #ACTIVE_ORDERS}. */
    public static String activeOrder(UserId userId, ClientOrderId clientOrderId) {
        return userId + ":" + clientOrderId;
    }

    /**
     * When the account's next order would be on time (microseconds since the epoch); gone when it
     * is now.
     */
    public static String orderRate(UserId userId, AccountKey account) {
        return "orders:rate:" + userId + ":" + account;
    }

    /** The hash of the batch that this idempotency key belongs to. */
    public static String batch(UserId userId, String key) {
        return "orders:batch:" + userId + ":" + key;
    }

    /** An account in {@link #RISK_LIMITS}. */
    public static String riskLimits(UserId userId, AccountKey account) {
        return userId + ":" + account;
    }

    /** An account in {@link #REPORTED_ACCOUNTS}. */
    public static String reportedAccount(UserId userId, AccountKey account) {
        return userId + ":" + account;
    }

    /**
     * A list: what a worker reported of the account and PostgreSQL does not have yet, oldest first;
     * the reporter's epoch, a blank, and the report as JSON.
     *
     * @param reported as {@link #reportedAccount}
     */
    public static String accountReports(String reported) {
        return ACCOUNT_REPORTS + reported;
    }

    /**
     * A sorted set: replicas that hold a stream of the user, each scored by when that ends unless
     * it is refreshed (milliseconds since the epoch).
     */
    public static String streams(UserId userId) {
        return "ws:streams:" + userId;
    }

    /** The order with the venue's answer, for the moment until its workflow has it; JSON. */
    public static String orderAnswer(UserId userId, ClientOrderId clientOrderId) {
        return "order:answer:" + userId + ":" + clientOrderId;
    }

    /** Which API replica holds the user's remote connection: the replica's id. */
    public static String route(UserId userId, Environment environment) {
        return "ws:routing:" + userId + ":" + environment.name().toLowerCase(Locale.ROOT);
    }

    /** The highest epoch of a user's remote connections. */
    public static String connectionEpoch(UserId userId, Environment environment) {
        return "ws:epoch:" + userId + ":" + environment.name().toLowerCase(Locale.ROOT);
    }

    /** The id of the machine that serves the user's remote accounts. */
    public static String remoteMachine(UserId userId, Environment environment) {
        return "ws:machine:" + userId + ":" + environment.name().toLowerCase(Locale.ROOT);
    }

    /** Whom a routed call was sent to, so that it is sent once. */
    public static String routedCall(String callId) {
        return "ws:call:" + callId;
    }

    /** A list: the answer to a routed call. */
    public static String routedAnswer(String callId) {
        return "ws:answer:" + callId;
    }

    /** Channel on which a caller hears that an answer is there: the call's id. */
    public static String answersFor(String callerId) {
        return "ws:answers:" + callerId;
    }
}
