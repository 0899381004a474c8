package dev.berth.acceptance.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.SteadyTrader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running workers take a new revision of their task definition, then the earlier one. */
@Tag("long")
@ExtendWith(StackExtension.class)
class UpgradeTest {
    private static final Logger LOG = LoggerFactory.getLogger(UpgradeTest.class);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    /**
     * The goal is one second, on a machine that does not start the successors beside it. Less than
     * a heartbeat's 30 s tells a hand-over from a death.
     */
    private static final Duration MEDIAN_GAP = Duration.ofSeconds(25);

    private final Stack stack;
    private final EcsApi ecs;

    UpgradeTest(Stack stack) {
        this.stack = stack;
        this.ecs = EcsApi.of(stack);
    }

    @Test
    @Tag("X21")
    @DisplayName(
            "Trading users get processes of a new revision, and then of the earlier one, nothing lost or sent twice")
    void upgradeAndRollBack() throws Exception {
        upgradeAndRollBack(2);
    }

    @Test
    @Tag("X21")
    @DisplayName("The same for ten users at once")
    void upgradeAndRollBackOfTenUsers() throws Exception {
        upgradeAndRollBack(10);
    }

    private void upgradeAndRollBack(int count) throws Exception {
        List<SteadyTrader> users = new ArrayList<>();
        try {
            for (int number = 0; number < count; number++) {
                users.add(SteadyTrader.of(stack, "upgrade-" + count + "-" + number));
            }
            JsonNode usual = ecs.define("BERTH_RELEASE", "next");
            try {
                assertThat(stack.berth("upgrade", "--plan"))
                        .contains(ecs.definitionArn())
                        .contains(usual.path("taskDefinitionArn").asText());
                handOver(users);
            } finally {
                ecs.register(usual);
            }
            handOver(users);
            List<Duration> gaps = new ArrayList<>();
            for (SteadyTrader user : users) {
                Duration slowest = user.longest();
                gaps.add(slowest);
                LOG.warn("{}: the slowest order took {} ms", user.user(), slowest.toMillis());
                assertThat(user.trader().worker().deaths()).isZero();
                user.requireNothingLostOrDoubled(stack);
            }
            assertThat(gaps.stream().sorted().toList().get((gaps.size() - 1) / 2))
                    .isLessThan(MEDIAN_GAP);
        } finally {
            users.forEach(SteadyTrader::close);
            Eventually.poolOfNewestRevision(stack);
        }
    }

    /** The stack has workers of other users, which keep theirs. */
    private void handOver(List<SteadyTrader> users) throws Exception {
        String newest = ecs.definitionArn();
        List<Worker> before = new ArrayList<>();
        for (SteadyTrader user : users) {
            before.add(user.trader().worker());
            stack.berth("upgrade", "--user", user.user(), "--reason", "a test");
        }
        for (int number = 0; number < users.size(); number++) {
            SteadyTrader user = users.get(number);
            Worker successor = user.successor(before.get(number), TIMEOUT);
            LOG.warn(
                    "{}: {} ms without a process",
                    user.user(),
                    SteadyTrader.gap(successor).toMillis());
            assertThat(ecs.task(successor.taskId()).taskDefinitionArn()).isEqualTo(newest);
        }
    }
}
