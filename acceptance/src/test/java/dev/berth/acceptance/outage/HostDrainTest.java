package dev.berth.acceptance.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.SteadyTrader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A host drains, as after a notice of a spot host: its workers move to another one. */
@Tag("long")
@ExtendWith(StackExtension.class)
class HostDrainTest {
    private static final Logger LOG = LoggerFactory.getLogger(HostDrainTest.class);
    /** A spot host is terminated two minutes after its notice. */
    private static final Duration EMPTY = Duration.ofSeconds(90);

    /**
     * The goal is one second; a busy machine starts the successors of three users meanwhile. A
     * worker that was not handed over would be found dead after its heartbeat of 30 s.
     */
    private static final Duration MEDIAN_GAP = Duration.ofSeconds(25);

    private final Stack stack;
    private final EcsApi ecs;
    private final List<SteadyTrader> users = new ArrayList<>();
    private String host = "";

    HostDrainTest(Stack stack) {
        this.stack = stack;
        this.ecs = EcsApi.of(stack);
    }

    @AfterEach
    void activateHost() throws Exception {
        users.forEach(SteadyTrader::close);
        if (!host.isEmpty()) {
            ecs.setDraining(host, false);
        }
    }

    @Test
    @Tag("X22")
    @Tag("E2")
    @DisplayName(
            "Three users with resting orders on a host that drains are served on another host, nothing lost or sent twice")
    void workersLeaveDrainingHost() throws Exception {
        for (String name : List.of("drain-a", "drain-b", "drain-c")) {
            users.add(SteadyTrader.of(stack, name));
        }
        List<Worker> before = new ArrayList<>();
        for (SteadyTrader user : users) {
            before.add(user.trader().worker());
        }
        host = ecs.hostOf(before.getFirst().taskId());
        ecs.setDraining(host, true);

        for (int number = 0; number < users.size(); number++) {
            SteadyTrader user = users.get(number);
            Worker first = before.get(number);
            if (ecs.hostOf(first.taskId()).equals(host)) {
                Worker successor = user.successor(first, EMPTY);
                LOG.warn(
                        "{}: {} ms without a process",
                        user.user(),
                        SteadyTrader.gap(successor).toMillis());
                assertThat(ecs.hostOf(successor.taskId())).isNotEqualTo(host);
                Eventually.ended(first.pid(), EMPTY);
            }
        }
        List<Duration> gaps = new ArrayList<>();
        for (SteadyTrader user : users) {
            Duration longest = user.longest();
            LOG.warn("{}: the slowest order took {} ms", user.user(), longest.toMillis());
            gaps.add(longest);
            assertThat(user.trader().worker().deaths()).isZero();
            user.requireNothingLostOrDoubled(stack);
        }
        assertThat(gaps.stream().sorted().toList().get(1)).isLessThan(MEDIAN_GAP);
    }
}
