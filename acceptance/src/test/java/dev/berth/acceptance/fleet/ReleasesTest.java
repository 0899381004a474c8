package dev.berth.acceptance.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.SteadyTrader;
import dev.berth.acceptance.stack.TestStack;
import dev.berth.temporal.TemporalClients;
import io.temporal.api.enums.v1.WorkflowTaskFailedCause;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionMetadata;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rolling deploy from another release to this tree, and its roll-back. {@code -Dberth.build} is
 * the checkout of that release, built by {@code ./berth up} there. The first API and gateway of the
 * stack are the other release's, the second ones this tree's.
 */
@EnabledIfSystemProperty(named = "berth.build", matches = ".+")
class ReleasesTest {
    private static final Logger LOG = LoggerFactory.getLogger(ReleasesTest.class);
    private static final int USERS = 10;
    /** How many orders each user fills in each phase, which takes some 20 s. */
    private static final int ORDERS = 40;

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final Duration LONGEST_GAP = Duration.ofSeconds(30);

    private final Stack here = TestStack.describe("releases").with(Map.of("BERTH_GATEWAYS", "2"));
    private final Stack other = new Stack(
            Path.of(System.getProperty("berth.build", "")).toAbsolutePath().normalize(), here.environment());
    private final List<SteadyTrader> users = new ArrayList<>();

    ReleasesTest() throws IOException {}

    @Test
    @Tag("X21")
    @DisplayName("Two releases run side by side, forward and back, while users trade: nothing is lost or sent twice")
    void rollingDeployAndRollBack() throws Exception {
        try (TestStack running = TestStack.start(other)) {
            try {
                deployAndRollBack();
            } catch (Throwable failure) {
                running.failed();
                throw failure;
            } finally {
                users.forEach(SteadyTrader::close);
            }
        }
    }

    private void deployAndRollBack() throws Exception {
        RestClient second = new RestClient(URI.create("http://127.0.0.1:" + (here.port("API", 8080) + 1)));
        for (int number = 0; number < USERS; number++) {
            users.add(SteadyTrader.of(other, "releases-" + number, List.of(second)));
        }
        trade("the other release");
        Instant deploy = Instant.now();
        end("gateway-2");
        here.berth("up", "--replicas", "2");
        requireBuild(here, "api-2", "gateway-2");
        requireBuild(other, "api", "gateway");
        trade("both releases");
        end("api", "gateway");
        trade("this release");
        other.berth("up");
        requireBuild(other, "api", "gateway");
        requireBuild(here, "api-2", "gateway-2");
        trade("both releases again");
        end("api-2", "gateway-2");
        trade("the other release again");
        requireOrders();
        assertThat(failedWorkflowTasks(deploy)).isEmpty();
    }

    /** The watch ends first, since it would start a gateway again. */
    private void end(String... names) throws IOException, InterruptedException {
        here.process("gateway-watch").end();
        for (String name : names) {
            here.process(name).end();
        }
    }

    private static void requireBuild(Stack build, String... names) throws IOException {
        for (String name : names) {
            assertThat(Processes.command(build.process(name).pid()))
                    .as(name)
                    .contains(build.root() + "/api/server/target/");
        }
    }

    private void trade(String phase) {
        List<Integer> before = users.stream().map(SteadyTrader::orders).toList();
        await(phase)
                .atMost(TIMEOUT)
                .until(() ->
                        users.stream().allMatch(user -> user.orders() >= before.get(users.indexOf(user)) + ORDERS));
        LOG.warn(
                "{}: {} orders so far",
                phase,
                users.stream().mapToInt(SteadyTrader::orders).sum());
    }

    private void requireOrders() throws Exception {
        users.forEach(SteadyTrader::close);
        List<Duration> gaps =
                users.stream().map(SteadyTrader::longestGap).sorted().toList();
        LOG.warn(
                "between two orders of a user at most {} ms, median of the users {} ms",
                gaps.getLast().toMillis(),
                gaps.get(gaps.size() / 2).toMillis());
        for (SteadyTrader user : users) {
            LOG.warn(
                    "{}: {} orders, at most {} ms between two",
                    user.user(),
                    user.orders(),
                    user.longestGap().toMillis());
            user.requireNothingLostOrDoubled(here);
            assertThat(user.trader().worker().deaths()).isZero();
        }
        assertThat(gaps.getLast()).isLessThan(LONGEST_GAP);
    }

    /** A replay that differs fails its workflow task. */
    private List<String> failedWorkflowTasks(Instant since) {
        WorkflowServiceStubs stubs =
                WorkflowServiceStubs.newServiceStubs(TemporalClients.stubs("127.0.0.1:" + here.port("TEMPORAL", 7233))
                        .build());
        try {
            WorkflowClient temporal = WorkflowClient.newInstance(
                    stubs,
                    TemporalClients.workflows(TemporalClients.NAMESPACE, TemporalClients.DATA_CONVERTER)
                            .build());
            List<WorkflowExecutionMetadata> runs = temporal.listExecutions("").toList();
            List<String> failed = runs.stream()
                    .flatMap(run -> failedWorkflowTasks(temporal, run, since))
                    .toList();
            LOG.warn("{} workflow runs, {} failed workflow tasks", runs.size(), failed.size());
            return failed;
        } finally {
            stubs.shutdownNow();
        }
    }

    /** Without those that the server repeats since an event came meanwhile. */
    private static Stream<String> failedWorkflowTasks(
            WorkflowClient temporal, WorkflowExecutionMetadata run, Instant since) {
        String id = run.getExecution().getWorkflowId();
        return temporal.streamHistory(id, run.getExecution().getRunId())
                .filter(HistoryEvent::hasWorkflowTaskFailedEventAttributes)
                .filter(event -> event.getEventTime().getSeconds() >= since.getEpochSecond())
                .map(HistoryEvent::getWorkflowTaskFailedEventAttributes)
                .filter(failed ->
                        failed.getCause() != WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND)
                .map(failed -> id + ": " + failed.getCause() + " "
                        + failed.getFailure().getMessage());
    }
}
