package dev.berth.workflows.deployment;

/** A login of Redis, and the rules of its access control list. */
public enum RedisLogin {
    /** API and orchestrator. */
    API("berth-api", "on ~* &* "),
    /** The worker gateway. Limits, switches and holds it can only read. */
    GATEWAY(
            "berth-gateway",
            "on ~worker:* ~task:* ~pool:* ~gateway:* ~enrolment:* ~ws:* ~order:answer:* ~orders:rate:* ~account:*"
                    + " %R~kill-switch %R~risk-limits %R~holds %R~stopped:* %R~fleet:loaded %R~quotes* resetchannels &ws:*"
                    + " &gateway:claims ");

    /** What the application calls; no flush, no configuration, no replication. */
    private static final String COMMANDS = "+@all -@admin -@dangerous +info";

    private final String user;
    private final String keys;

    RedisLogin(String user, String keys) {
        this.user = user;
        this.keys = keys;
    }

    public String user() {
        return user;
    }

    /** In the words of {@code ACL SETUSER}, without a password. */
    public String rules() {
        return keys + COMMANDS;
    }
}
