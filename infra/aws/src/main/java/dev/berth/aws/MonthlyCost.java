package dev.berth.aws;

import dev.berth.workflows.UserGroup;
import dev.berth.workflows.deployment.WorkerSize;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * {@code ./berth cost}: what an account costs a month.
 *
 * @param users whose workers run all month
 * @param sizes of which only {@link #COUNTED} may differ from the standard
 */
record MonthlyCost(int users, Sizes sizes, Prices prices) {
    static final List<Integer> USERS = List.of(100, 1_000, 10_000);

    /** Other sizes change what the price list has one price for. */
    private static final Set<Size> COUNTED =
            EnumSet.of(Size.GROUPS, Size.WORKER_HOSTS, Size.WORKER_HOST_FILL, Size.POOL_TARGET);

    private static final int ORDERS_A_DAY = 20;
    private static final int TRADING_DAYS = 21;
    /** The actions of one order that fills: start, submission, reports, timers, records. */
    private static final int ACTIONS_AN_ORDER = 12;
    /** The actions of one worker a month: its start and end each day, checks of its heartbeat. */
    private static final int ACTIONS_A_USER = 1_000;
    /** The actions of the sweep each minute and the pool every five minutes, a month. */
    private static final int ACTIONS_OF_FLEET = 350_000;
    /** A task of each role serves so many: docs/scale.md has the measured figures. */
    private static final int USERS_A_TASK = 2_500;

    private static final int LEAST_TASKS = 2;
    private static final int ROLES = 3;
    private static final int TASKS_A_HOST = 2;
    private static final double TRAFFIC_GB = 0.5;
    private static final double LOGS_GB = 0.1;
    private static final int HOST_DISK_GIB = 50;
    private static final int KEYS = 7;
    private static final int ALARMS = 14;
    private static final int ALARMS_A_GROUP = 2;

    MonthlyCost {
        for (Size size : Size.values()) {
            if (!COUNTED.contains(size) && !sizes.text(size).equals(size.standard())) {
                throw new IllegalArgumentException(size.key() + " is counted at its standard size only.");
            }
        }
    }

    /** Exits with 2 on invalid arguments. */
    static void main(String[] arguments) {
        try {
            List<String> changes = new ArrayList<>();
            List<Integer> users = new ArrayList<>();
            for (int i = 0; i < arguments.length; i++) {
                if (arguments[i].equals("--set") && i + 1 < arguments.length) {
                    changes.add(arguments[++i]);
                } else {
                    users.add(positive(arguments[i]));
                }
            }
            table(users.isEmpty() ? USERS : users, Sizes.of(changes)).forEach(IO::println);
        } catch (IllegalArgumentException wrong) {
            System.err.println("berth: " + wrong.getMessage());
            System.err.println("       Usage: ./berth cost [--set NAME=VALUE]... [USERS...]");
            System.exit(2);
        }
    }

    private static int positive(String text) {
        if (!text.matches("[1-9][0-9]{0,6}")) {
            throw new IllegalArgumentException("'" + text + "' is no number of users from 1 to 9,999,999.");
        }
        return Integer.parseInt(text);
    }

    /** US dollars a month, by line. */
    Map<String, Double> lines() {
        Map<String, Double> lines = new LinkedHashMap<>();
        for (UserGroup group : sizes.userGroups()) {
            lines.put("worker hosts" + of(group), workerHosts(group) * host("r6i.large"));
        }
        lines.put("service hosts", serviceHosts() * host("m6i.large"));
        lines.put("PostgreSQL, two zones", prices.month("postgres.m6g.large") + 100 * prices.of("postgres.gib"));
        lines.put("Valkey, two nodes", 2 * prices.month("cache.m7g.large"));
        lines.put("network", network());
        lines.put("logs, alarms, keys, secrets", upkeep());
        lines.put("Temporal Cloud", prices.temporal(actions() / 1e6));
        return lines;
    }

    private static String of(UserGroup group) {
        return group.isDefault() ? "" : " of " + group;
    }

    /**
     * As the cluster scales: some of the room awaits users. All users count in the default group;
     * the hosts of another group hold its pool.
     */
    int workerHosts(UserGroup group) {
        int workers = group.isDefault() ? users + sizes.number(Size.POOL_TARGET) : Names.GROUP.poolTarget();
        double used = sizes.number(Size.WORKER_HOST_FILL) / 100.0;
        return Math.max(sizes.number(Size.WORKER_HOSTS), (int) Math.ceil(workers / (WorkerSize.PER_HOST * used)));
    }

    int serviceHosts() {
        int tasks = Math.max(LEAST_TASKS, Math.ceilDiv(users, USERS_A_TASK));
        return Math.ceilDiv(ROLES * tasks, TASKS_A_HOST);
    }

    /** Temporal's actions a month, which Temporal Cloud counts. */
    double actions() {
        return users * ((double) ORDERS_A_DAY * TRADING_DAYS * ACTIONS_AN_ORDER + ACTIONS_A_USER) + ACTIONS_OF_FLEET;
    }

    double total() {
        return lines().values().stream().mapToDouble(Double::doubleValue).sum();
    }

    String largest() {
        return lines().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    private double host(String type) {
        return prices.month(type) + HOST_DISK_GIB * prices.of("disk.gib");
    }

    private double network() {
        return 2 * prices.month("nat") + users * TRAFFIC_GB * prices.of("nat.gb") + 2 * prices.month("load-balancer");
    }

    private double upkeep() {
        return users * LOGS_GB * prices.of("logs.gb")
                + KEYS * prices.of("kms.key")
                + SecretName.values().length * prices.of("secret")
                + (ALARMS + ALARMS_A_GROUP * sizes.userGroups().size()) * prices.of("alarm")
                + prices.of("dashboard");
    }

    /** As Markdown. */
    static List<String> table(List<Integer> users, Sizes sizes) {
        Prices prices = new Prices();
        List<MonthlyCost> costs = users.stream()
                .map(count -> new MonthlyCost(count, sizes, prices))
                .toList();
        List<String> table = new ArrayList<>();
        table.add(
                "US dollars a month, list prices of " + prices.text("region") + " as of " + prices.text("as-of") + ":");
        table.add("");
        table.add(row("users", users.stream().map(MonthlyCost::grouped).toList()));
        table.add("|---|" + "---:|".repeat(users.size()));
        for (String line : costs.getFirst().lines().keySet()) {
            table.add(row(
                    line,
                    costs.stream()
                            .map(cost -> dollars(cost.lines().getOrDefault(line, 0.0)))
                            .toList()));
        }
        table.add(
                row("**all**", costs.stream().map(cost -> dollars(cost.total())).toList()));
        table.add(row(
                "a user",
                costs.stream()
                        .map(cost -> String.format(Locale.ROOT, "%.2f", cost.total() / cost.users()))
                        .toList()));
        table.add(row("largest line", costs.stream().map(MonthlyCost::largest).toList()));
        return table;
    }

    private static String dollars(double amount) {
        return grouped(Math.round(amount));
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String row(String name, List<String> values) {
        return "| " + name + " | " + String.join(" | ", values) + " |";
    }
}
