package dev.berth.acceptance.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Does to each workflow what the table of verbs in {@code docs/operate.md} names. */
@Tag("long")
@ExtendWith(StackExtension.class)
class OperatorVerbsTest {
    private static final Path GUIDE = Path.of("../docs/operate.md");
    private static final Pattern ROW = Pattern.compile("\\| `([a-z-]+)` \\|" + " \\*\\*(\\w+)\\*\\*[^|]*\\|".repeat(4));
    private static final int ORDER = 2;
    private static final int WORKER = 3;
    private static final int POOL = 4;
    private static final int SWEEP = 5;

    private static final Duration SOON = Duration.ofSeconds(30);
    /** Two sweeps, and the server's waits between five failures of a workflow task. */
    private static final Duration HEALED = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    private final Stack stack;
    private final TemporalCli temporal;

    OperatorVerbsTest(Stack stack) {
        this.stack = stack;
        // Without the codec: the API, which has it, stands still for a while.
        this.temporal = new TemporalCli(stack, false);
    }

    /** The guide's word for each verb, of one kind of workflow. */
    private static Map<String, String> words(int column) throws Exception {
        Map<String, String> words = new LinkedHashMap<>();
        ROW.matcher(Files.readString(GUIDE)).results().forEach(row -> words.put(row.group(1), row.group(column)));
        assertThat(words).hasSize(9);
        return words;
    }

    /** Whether the command line reports success. */
    private boolean apply(String verb, String workflowId, String... flags) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(verb.split(" ")));
        arguments.addAll(List.of("--workflow-id", workflowId));
        arguments.addAll(List.of(flags));
        TemporalCli cli = verb.startsWith("update ") ? new TemporalCli(stack) : temporal;
        return cli.attempt("workflow", arguments.toArray(String[]::new)).status() == 0;
    }

    /** Every verb that needs no other input. */
    private boolean apply(String verb, String workflowId) throws Exception {
        return switch (verb) {
            case "cancel" -> apply(verb, workflowId, new String[0]);
            case "reset" -> apply(verb, workflowId, "--type", "FirstWorkflowTask", "--reason", "test");
            case "terminate", "pause" -> apply(verb, workflowId, "--reason", "test");
            case "delete" -> apply(verb, workflowId, "--yes");
            case "update" -> apply("update execute", workflowId, "--name", "cancel");
            case "update-options" ->
                apply(
                        verb,
                        workflowId,
                        "--versioning-override-behavior",
                        "pinned",
                        "--versioning-override-deployment-name",
                        "none",
                        "--versioning-override-build-id",
                        "none");
            default -> throw new AssertionError("a verb that this test does not know: " + verb);
        };
    }

    /** @param signals each a name, with or without an input */
    private boolean signal(String workflowId, String... signals) throws Exception {
        for (String signal : signals) {
            String[] parts = signal.split(" ", 2);
            boolean isAccepted = parts.length == 1
                    ? apply("signal", workflowId, "--name", parts[0])
                    : apply("signal", workflowId, "--name", parts[0], "--input", parts[1]);
            assertThat(isAccepted).as(signal).isTrue();
        }
        return true;
    }

    private boolean start(String workflowId, String type, String queue, String... more) throws Exception {
        List<String> flags = new ArrayList<>(List.of("--type", type, "--task-queue", queue));
        flags.addAll(List.of(more));
        return apply("start", workflowId, flags.toArray(String[]::new));
    }

    private boolean isRunning(String workflowId) throws Exception {
        FinishedCommand described = temporal.attempt("workflow", "describe", "--workflow-id", workflowId);
        return described.status() == 0 && described.out().contains("WORKFLOW_EXECUTION_STATUS_RUNNING");
    }

    /** Sweeps often; those that count as one after the other are 30 s apart. */
    private void awaitSweeps(String what, Callable<Boolean> isHealed) {
        await().alias(what)
                .atMost(HEALED)
                .pollInterval(Duration.ofSeconds(2))
                .pollDelay(Duration.ZERO)
                .until(() -> {
                    temporal.schedule("trigger", "--schedule-id", "maintenance");
                    return isHealed.call();
                });
    }

    private void assertListed(String workflowId) throws Exception {
        await().atMost(HEALED)
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> stack.berth("attention", "--kind", "workflow").contains("workflow  " + workflowId + "  "));
        assertThat(apply("terminate", workflowId)).isTrue();
    }

    @AfterEach
    void thaw() throws Exception {
        stack.process("api").thaw();
    }

    @Test
    @Tag("X12")
    @Tag("X6")
    @DisplayName("What an operator does to an order's workflow is safe, refused, healed or listed as the guide says")
    void verbsOnOrderLoseNoOrder() throws Exception {
        Map<String, String> words = words(ORDER);
        Trader trader = Eventually.trading(stack, "verbs-orders");
        assertThat(start(order("start"), "Order", "orders")).isTrue();
        assertThat(start(order("elsewhere"), "Order", "elsewhere")).isTrue();
        // A sweep reads it for as long as its history is kept.
        assertThat(start(order("typed"), "Order", "orders", "--search-attribute", "BerthOrderStatus=\"new\""))
                .isTrue();
        assertThat(apply("terminate", order("typed"))).isTrue();
        words.keySet().removeIf("start"::equals);
        for (String verb : words.keySet()) {
            trader.submit(OrderBody.limit(verb, "MSFT", "buy", "1", "50"), 60);
            Eventually.order(trader, verb, "NEW", SOON);
            // The API answers before the row has the status.
            await().atMost(SOON).until(() -> trader.statuses(verb).contains("NEW"));
        }
        for (String verb : words.keySet()) {
            boolean isAccepted = verb.equals("signal")
                    ? signal(order(verb), "report", "report \"x\"", "report {}", "accountRefused", "unknown")
                    : apply(verb, order(verb));
            assertThat(isAccepted).as(verb).isEqualTo(!words.get(verb).equals("refused"));
            boolean isOver = verb.equals("cancel") || verb.equals("update");
            if (isOver) {
                Eventually.order(trader, verb, "CANCELED", SOON);
            } else {
                assertThat(isRunning(order(verb)))
                        .as(verb)
                        .isEqualTo(!words.get(verb).equals("healed"));
            }
        }
        for (String verb : words.keySet()) {
            if (words.get(verb).equals("healed")) {
                awaitSweeps(verb, () -> isRunning(order(verb)));
                assertThat(trader.order(verb).reason()).startsWith("internal: adopted: ");
            }
            if (!trader.order(verb).isIn("CANCELED")) {
                Eventually.canceled(trader, verb, SOON);
            }
        }
        assertThat(Venue.of(stack).arrivals(trader)).as("each was sent once").hasSize(1 + words.size());
        assertListed(order("start"));
        assertListed(order("elsewhere"));
    }

    @Test
    @Tag("X12")
    @Tag("X6")
    @Tag("B1")
    @DisplayName("An order whose workflow was canceled goes on also where that run must end before the order")
    void canceledOrderThatCannotEnd() throws Exception {
        Trader trader = Eventually.trading(stack, "verbs-unknown");
        Venue venue = Venue.of(stack);
        String id = "order:verbs-unknown:in-hand";
        venue.hold(trader, "in-hand");
        Eventually.order(trader, "in-hand", "UNKNOWN", SOON);
        stack.berth("suspend", trader.user(), "--reason", "no worker can find out");
        Eventually.worker(trader, "SUSPENDED", SOON);
        venue.reset();
        assertThat(apply("cancel", id)).isTrue();
        // The server suggests a new run after 4 MiB of history.
        Path large = Files.writeString(folder.resolve("large.json"), "\"" + "x".repeat(1_500_000) + "\"");
        for (int i = 0; i < 3; i++) {
            assertThat(apply("signal", id, "--name", "unknown", "--input-file", large.toString()))
                    .isTrue();
        }
        await().atMost(HEALED).until(() -> !isRunning(id));
        awaitSweeps("an order whose run was canceled", () -> isRunning(id));
        stack.berth("resume", trader.user());
        Eventually.order(trader, "in-hand", "FILLED", SOON);
        assertThat(venue.arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsOnlyOnce("in-hand");
    }

    @Test
    @Tag("X12")
    @Tag("B1")
    @DisplayName("A reset does not send an order that was canceled before it was sent")
    void resetOfUnsentOrder() throws Exception {
        Trader trader = Eventually.trading(stack, "verbs-unsent");
        Venue venue = Venue.of(stack);
        venue.hold(trader, "in-hand");
        trader.submit(OrderBody.market("behind", "MSFT", "buy", "1").json());
        Eventually.canceled(trader, "behind", SOON);
        await().atMost(SOON).until(() -> trader.statuses("behind").contains("CANCELED"));
        String[] first = {"--type", "FirstWorkflowTask", "--reason", "test", "--reapply-exclude", "Update"};
        assertThat(apply("reset", "order:verbs-unsent:behind", first)).isTrue();
        await().atMost(SOON).until(() -> !isRunning("order:verbs-unsent:behind"));
        venue.reset();
        Eventually.order(trader, "in-hand", "FILLED", SOON);
        Eventually.filled(trader, "after");
        assertThat(trader.order("behind").status()).isEqualTo("CANCELED");
        assertThat(venue.arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .doesNotContain("behind");
    }

    private static String order(String verb) {
        return "order:verbs-orders:" + verb;
    }

    @Test
    @Tag("X12")
    @Tag("X6")
    @Tag("D8")
    @DisplayName("What an operator does to a worker's workflow is safe, refused, healed or listed as the guide says")
    void verbsOnWorkerKeepOrRestartWorker() throws Exception {
        Map<String, String> words = words(WORKER);
        assertThat(start(
                        worker("start"),
                        "WorkerLifecycle",
                        "fleet",
                        "--search-attribute",
                        "BerthWorkerState=\"active\""))
                .isTrue();
        words.keySet().removeIf("start"::equals);
        Map<String, Long> processes = new LinkedHashMap<>();
        for (String verb : words.keySet()) {
            processes.put(verb, pid(Eventually.trading(stack, user(verb))));
        }
        for (String verb : List.of("terminate", "delete")) {
            Trader suspended = Eventually.trading(stack, user("suspended-" + verb));
            stack.berth("suspend", suspended.user(), "--reason", "test");
            Eventually.worker(suspended, "SUSPENDED", SOON);
            assertThat(apply(verb, worker("suspended-" + verb))).isTrue();
        }
        for (String verb : words.keySet()) {
            boolean isAccepted = verb.equals("signal")
                    ? signal(
                            worker(verb),
                            "ensure",
                            "ensure \"x\"",
                            "attached {}",
                            "workerFound 7",
                            "idle",
                            "handOver",
                            "fleetSwitched",
                            "reloadCredentials 5",
                            "unknown")
                    : apply(verb, worker(verb));
            assertThat(isAccepted).as(verb).isEqualTo(!words.get(verb).equals("refused"));
            assertThat(isRunning(worker(verb)))
                    .as(verb)
                    .isEqualTo(!words.get(verb).equals("healed"));
        }
        for (String verb : words.keySet()) {
            Trader trader = stack.trader(user(verb));
            if (words.get(verb).equals("healed")) {
                awaitSweeps(verb, () -> trader.worker().isIn("ACTIVE"));
            } else if (verb.equals("cancel")) {
                Eventually.worker(trader, "TERMINATED", SOON);
            }
            Eventually.filled(trader, "after");
            boolean isSame = pid(trader).equals(processes.get(verb));
            assertThat(isSame).as("the process after " + verb).isEqualTo(!verb.equals("cancel"));
        }
        for (String verb : List.of("terminate", "delete")) {
            Trader suspended = stack.trader(user("suspended-" + verb));
            awaitSweeps("suspended", () -> suspended.worker().isIn("SUSPENDED"));
            stack.berth("resume", suspended.user());
            Eventually.filled(suspended, "resumed");
        }
        assertListed(worker("start"));
    }

    private static Long pid(Trader trader) throws Exception {
        return trader.worker().pid();
    }

    private static String user(String verb) {
        return "verbs-" + verb;
    }

    private static String worker(String verb) {
        return "worker:" + user(verb);
    }

    @Test
    @Tag("X12")
    @Tag("B1")
    @DisplayName("What an operator does to a submission in hand, and to one that waits, sends no order twice")
    void verbsOnSubmissionSendNoOrderTwice() throws Exception {
        Venue venue = Venue.of(stack);
        for (String verb : List.of("complete", "fail", "pause", "reset")) {
            Trader trader = Eventually.trading(stack, "activity-" + verb);
            // For less than the 15 s after which the outcome is unknown, and the venue is asked.
            venue.hold(trader, "in-hand");
            trader.submit(OrderBody.market("waits", "MSFT", "buy", "1").json());
            for (String id : List.of("in-hand", "waits")) {
                String order = "order:" + trader.user() + ":" + id;
                applyToSubmission(verb, order);
                if (verb.equals("pause")) {
                    // A worker that has it in hand learns of it with its next heartbeat.
                    await().atMost(SOON)
                            .until(() ->
                                    submission(order).path("state").asText().equals("PENDING_ACTIVITY_STATE_PAUSED"));
                    applyToSubmission("unpause", order);
                }
            }
            venue.reset();
            Eventually.order(trader, "in-hand", "FILLED", HEALED);
            Eventually.order(trader, "waits", "FILLED", HEALED);
            assertThat(venue.arrivals(trader))
                    .as(verb)
                    .extracting(Venue.Arrival::clientOrderId)
                    .containsOnlyOnce("in-hand", "waits");
        }
    }

    private void applyToSubmission(String verb, String order) throws Exception {
        String activity = await().atMost(SOON)
                .until(() -> submission(order).path("activityId").asText(), id -> !id.isEmpty());
        List<String> arguments = new ArrayList<>(List.of(verb, "--workflow-id", order, "--activity-id", activity));
        switch (verb) {
            case "complete" -> arguments.addAll(List.of("--result", "{\"x\":1}"));
            case "fail" -> arguments.addAll(List.of("--reason", "test"));
            default -> {
                // It needs no other input.
            }
        }
        temporal.attempt("activity", arguments.toArray(String[]::new));
    }

    /** The pending activity that sends the order; missing while there is none. */
    private JsonNode submission(String order) throws Exception {
        for (JsonNode activity :
                temporal.workflow("describe", "--workflow-id", order).path("pendingActivities")) {
            if (activity.path("activityType").path("name").asText().equals("submitOrder")) {
                return activity;
            }
        }
        return MissingNode.getInstance();
    }

    @Test
    @Tag("X12")
    @DisplayName("What an operator does to the pool is safe, refused or healed as the guide says")
    void verbsOnPoolAreHealed() throws Exception {
        for (var word : words(POOL).entrySet()) {
            String before = temporal.runOf("pool");
            boolean isAccepted = switch (word.getKey()) {
                case "start" -> start("pool", "Pool", "fleet");
                case "signal" -> signal("pool", "resize", "resize \"x\"", "resize {}", "taskStopped", "unknown");
                default -> apply(word.getKey(), "pool");
            };
            assertThat(isAccepted).as(word.getKey()).isEqualTo(!word.getValue().equals("refused"));
            if (word.getValue().equals("healed")) {
                // The server ends a canceled run a moment later.
                await().alias(word.getKey())
                        .atMost(SOON)
                        .until(() ->
                                isRunning("pool") && !temporal.runOf("pool").equals(before));
            } else {
                assertThat(isRunning("pool")).as(word.getKey()).isTrue();
            }
        }
        Eventually.fullPool(RedisKeyspace.of(stack));
    }

    @Test
    @Tag("X12")
    @Tag("A10")
    @DisplayName("What an operator does to a sweep is safe or refused as the guide says, and another one follows")
    void verbsOnSweepLeaveNextSweep() throws Exception {
        for (var word : words(SWEEP).entrySet()) {
            String verb = word.getKey();
            boolean isAccepted;
            if (verb.equals("start")) {
                isAccepted = start("maintenance-by-hand", "Maintenance", "fleet");
            } else if (verb.equals("reset") || verb.equals("update")) {
                // They need a workflow task, so a sweep that is over.
                isAccepted = apply(verb, sweep("Completed"));
            } else {
                // A sweep takes a moment: here it waits for the orchestrator.
                stack.process("api").freeze();
                temporal.schedule("trigger", "--schedule-id", "maintenance");
                String sweep = sweep("Running");
                isAccepted = verb.equals("signal") ? signal(sweep, "unknown") : apply(verb, sweep);
                stack.process("api").thaw();
            }
            assertThat(isAccepted).as(verb).isEqualTo(!word.getValue().equals("refused"));
        }
        String last = sweep("Completed");
        awaitSweeps("another sweep", () -> !sweep("Completed").equals(last));
    }

    /** The id of the newest sweep in this state. */
    private String sweep(String state) {
        String query = "WorkflowType='Maintenance' AND ExecutionStatus='" + state + "'";
        return await().atMost(SOON)
                .until(() -> temporal.ids(query), ids -> !ids.isEmpty())
                .getFirst();
    }
}
