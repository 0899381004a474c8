package dev.berth.aws;

import java.util.Locale;
import java.util.regex.Pattern;

/** What {@code ./berth synth --set NAME=VALUE} may choose. */
enum Size {
    NAME("berth", "[a-z][a-z0-9-]{0,20}", "the first part of every stack's name: another cell needs another"),
    IMAGE_TAG("latest", "[A-Za-z0-9._-]{1,128}", "of both images in the account's own registry"),
    API_IMAGE("", "|" + Size.DIGEST, "URI of the API's image, by digest; empty: the account's own registry"),
    WORKER_IMAGE("", "|" + Size.DIGEST, "URI of the worker's image, by digest; empty: the account's own registry"),
    API_TASKS("2", Size.NUMBER, "API tasks at least"),
    API_TASKS_MAX("10", Size.NUMBER, "API tasks at most"),
    ORCHESTRATOR_TASKS("2", Size.NUMBER, "orchestrator tasks at least"),
    ORCHESTRATOR_TASKS_MAX("6", Size.NUMBER, "orchestrator tasks at most"),
    GATEWAY_TASKS("2", Size.NUMBER, "gateway tasks at least"),
    GATEWAY_TASKS_MAX("10", Size.NUMBER, "gateway tasks at most"),
    API_HOST("m6i.large", Size.TYPE, "hosts of these services: two tasks each"),
    API_HOSTS_MAX("16", Size.NUMBER, "hosts of the services at most"),
    WORKER_HOST("r6i.large", Size.TYPE, "hosts of the workers: 30 workers each, 2 vCPU and 16 GiB"),
    WORKER_HOSTS("1", Size.NUMBER, "worker hosts at least"),
    WORKER_HOSTS_MAX("40", Size.NUMBER, "worker hosts at most: 30 users each"),
    WORKER_HOST_FILL("90", Size.NUMBER, "per cent of the worker hosts' room that is used; the rest awaits users"),
    POOL_TARGET("2", Size.NUMBER, "idle pool workers"),
    POOL_EXCHANGES("", "|[A-Z0-9]+(,[A-Z0-9]+)*", "exchanges in whose sessions the pool is larger, as XNYS,XTAI"),
    POOL_CEILING("50", Size.NUMBER, "idle pool workers in a session at most; at least pool-target"),
    GROUPS("", "|" + Size.GROUP + "(," + Size.GROUP + ")*", "groups of users with hosts of their own, as gold,free"),
    DATABASE("m6g.large", Size.TYPE, "PostgreSQL, with a standby in another zone"),
    DATABASE_GIB("100", Size.NUMBER, "storage of PostgreSQL; grows by itself to ten times this"),
    DATABASE_BACKUP_DAYS("14", Size.NUMBER, "how far back PostgreSQL can be restored, to the second"),
    CACHE("cache.m7g.large", "cache\\.[a-z0-9]+\\.[a-z0-9]+", "Valkey, with a replica in another zone"),
    TEMPORAL("cloud", "cloud|self-hosted", "Temporal Cloud, or the server in this account"),
    TEMPORAL_NAMESPACE("berth", "\\S+", "in Temporal Cloud: NAME.ACCOUNT"),
    TEMPORAL_TASKS("3", Size.NUMBER, "self-hosted: server tasks"),
    TEMPORAL_IMAGE("", "|" + Size.DIGEST, "self-hosted: the server, temporalio/server:1.32.0 by digest"),
    TEMPORAL_TOOLS_IMAGE(
            "", "|" + Size.DIGEST, "self-hosted: makes its tables, temporalio/admin-tools:1.32.0 by digest"),
    POSTGRES_CLIENT_IMAGE("", "|" + Size.DIGEST, "psql, for the roles in PostgreSQL, once, postgres:17 by digest"),
    ALPACA_PAPER_URL("https://paper-api.alpaca.markets", "https://\\S+", "the broker of paper accounts"),
    ALPACA_LIVE_URL("", "|https://\\S+", "the broker of live accounts; empty: no live account is served"),
    FIX_PAPER_ADDRESS("", "|" + Size.ADDRESS, "host:port, FIX 4.4 by TLS for paper accounts; empty: none is served"),
    FIX_LIVE_ADDRESS("", "|" + Size.ADDRESS, "host:port, FIX 4.4 by TLS for live accounts; empty: none is served"),
    FIX_PAPER_ALLOWED("", Size.ADDRESSES, "host:port or *.domain:port, comma-separated: what paper accounts may name"),
    FIX_LIVE_ALLOWED("", Size.ADDRESSES, "host:port or *.domain:port, comma-separated: what live accounts may name"),
    FIX_TARGET_COMP_ID("VENUE", "[!-~]{1,64}", "the CompID of the FIX counterparty"),
    LOG_DAYS("30", "1|3|5|7|14|30|60|90|120|150|180|365", "how long logs are kept");

    private static final String ADDRESS = "[A-Za-z0-9.-]+:[0-9]{1,5}";
    private static final String ADDRESSES = "|(\\*\\.)?" + Size.ADDRESS + "(,(\\*\\.)?" + Size.ADDRESS + ")*";
    private static final String NUMBER = "[0-9]{1,5}";
    /** Without a hyphen, so that a variable can name it. */
    private static final String GROUP = "[a-z][a-z0-9]{0,29}";

    /** A tag may name another image tomorrow, and some of these get the database's password. */
    static final String DIGEST = "[a-z0-9][A-Za-z0-9._/:-]*@sha256:[0-9a-f]{64}";

    private static final String TYPE = "[a-z0-9]+\\.[a-z0-9]+";

    private final String standard;
    private final Pattern format;
    private final String meaning;

    Size(String standard, String format, String meaning) {
        this.standard = standard;
        this.format = Pattern.compile(format);
        this.meaning = meaning;
    }

    /** As on the command line: {@code worker-hosts-max}. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String standard() {
        return standard;
    }

    String meaning() {
        return meaning;
    }

    boolean accepts(String value) {
        return format.matcher(value).matches();
    }
}
