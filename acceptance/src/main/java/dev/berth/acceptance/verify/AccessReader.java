package dev.berth.acceptance.verify;

import dev.berth.acceptance.rest.LocalAccount;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@link AccessRecord} from Temporal, Redis, the audit and the gateway's metrics. */
record AccessReader(Stack stack, OrderHistories temporal) {
    private static final String HEARTBEAT_KEYS = "worker:active:";
    /** Only its user may change a credential: operators have no scope for it. */
    private static final String FOREIGN_CHANGES = """
            SELECT chain, number, actor, action, user_id FROM audit
            WHERE action IN ('STORE_CREDENTIALS', 'REMOVE_CREDENTIALS') AND actor IS DISTINCT FROM user_id
            """;

    private static final Pattern REFUSED =
            Pattern.compile("berth_gateway_refused_total\\{.*reason=\"([A-Z_]+)\".*} ([0-9.E]+)");

    /**
     * What concerns these users.
     *
     * @throws IOException when Temporal, Redis or PostgreSQL does not answer
     */
    AccessRecord about(Set<String> users) throws IOException, InterruptedException {
        RedisKeyspace redis = RedisKeyspace.of(stack);
        Map<String, Set<String>> served = temporal.usersByTask(users);
        Map<String, String> holders = new HashMap<>();
        Map<String, String> assigned = new HashMap<>();
        Map<String, Long> epochs = new HashMap<>();
        for (String user : users) {
            String epoch = redis.get("worker:epoch:" + user);
            if (!epoch.isEmpty()) {
                LocalAccount.keyIds(user).forEach(account -> epochs.merge(account, Long.valueOf(epoch), Math::max));
            }
            String task = redis.get(HEARTBEAT_KEYS + user);
            if (!task.isEmpty()) {
                holders.put(user, task);
            }
        }
        Set<String> tasks = new HashSet<>(served.keySet());
        tasks.addAll(holders.values());
        for (String task : tasks) {
            String owner = redis.get("task:" + task);
            if (!owner.isEmpty()) {
                assigned.put(task, owner);
            }
        }
        return new AccessRecord(served, holders, assigned, epochs, foreignChanges(users), refused());
    }

    private List<String> foreignChanges(Set<String> users) throws IOException {
        try (Connection postgres = stack.openPostgres();
                PreparedStatement query = postgres.prepareStatement(FOREIGN_CHANGES);
                ResultSet rows = query.executeQuery()) {
            List<String> changes = new ArrayList<>();
            while (rows.next()) {
                if (users.contains(rows.getString("user_id"))) {
                    changes.add("audit %s-%s: %s did %s of %s"
                            .formatted(
                                    rows.getString("chain"),
                                    rows.getLong("number"),
                                    rows.getString("actor"),
                                    rows.getString("action"),
                                    rows.getString("user_id")));
                }
            }
            return changes;
        } catch (SQLException unavailable) {
            throw new IOException("PostgreSQL at " + stack.postgres() + ": " + unavailable.getMessage(), unavailable);
        }
    }

    /**
     * Empty when the gateway is unavailable: its refusals prove nothing, and are told for a person.
     */
    private Map<String, Long> refused() throws InterruptedException {
        RestClient gateway = new RestClient(URI.create("http://127.0.0.1:" + stack.port("METRICS", 17234)));
        Map<String, Long> byReason = new HashMap<>();
        try {
            gateway.call("GET", "/actuator/prometheus", null)
                    .raw()
                    .body()
                    .lines()
                    .forEach(line -> {
                        Matcher refused = REFUSED.matcher(line);
                        if (refused.matches()) {
                            byReason.merge(refused.group(1), (long) Double.parseDouble(refused.group(2)), Long::sum);
                        }
                    });
        } catch (IOException unavailable) {
            return Map.of();
        }
        return byReason;
    }
}
