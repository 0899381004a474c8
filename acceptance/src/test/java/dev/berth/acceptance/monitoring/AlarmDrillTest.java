package dev.berth.acceptance.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.acceptance.monitoring.Prometheus.Firing;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.TestStack;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every alarm of the rules by its fault, on a stack of its own. It prints how long each needs to
 * fire and to clear. {@code -Dberth.alarms.factor=5} divides windows and pending times of the
 * rules.
 */
@Order(1)
@Tag("long")
class AlarmDrillTest {
    private static final Logger LOG = LoggerFactory.getLogger(AlarmDrillTest.class);
    private static final int FACTOR = Integer.getInteger("berth.alarms.factor", 1);
    private static final Duration FIRES = Duration.ofMinutes(10);
    /** Longer than the longest window, and than the memory of a worker's deaths. */
    private static final Duration CLEARS = Duration.ofMinutes(16);

    private final List<FaultTimes> faults = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    private record FaultTimes(AlarmFault fault, Instant began, Instant ended) {}

    @Test
    @Tag("B5")
    @Tag("B9")
    @Tag("D12")
    @Tag("E13")
    @Tag("X11")
    @DisplayName("Every alarm fires by its fault, reaches a receiver through Alertmanager, and clears after the fault")
    void everyAlarmFiresAndClears(@TempDir Path folder) throws Exception {
        assumeTrue(Prometheus.isInstalled(), "apt-get install prometheus");
        assumeTrue(Alertmanager.isInstalled(), "apt-get install prometheus-alertmanager");
        try (TestStack own = TestStack.start("stack-drill", AlarmFaults.SETTINGS);
                ApiReplica api = ApiReplica.start(own.stack(), Map.of("BERTH_ROLES", "api"));
                Alertmanager alertmanager = Alertmanager.start(folder);
                Prometheus prometheus = Prometheus.start(
                        own.stack(),
                        folder,
                        Monitoring.rulesScaled(FACTOR),
                        List.of(own.stack().api(), api.api()),
                        alertmanager.address())) {
            try {
                for (List<AlarmFault> together : new AlarmFaults(own.stack(), api, folder).inTurn()) {
                    drill(prometheus, together);
                }
                expect("no alarm", CLEARS, () -> firing(prometheus).isEmpty());
                LOG.warn("windows and pending times divided by {}\n{}", FACTOR, table(prometheus));
                assertThat(wrong).isEmpty();
                assertTold(alertmanager);
                own.stack().berth("verify");
            } catch (Exception | AssertionError failure) {
                own.failed();
                throw failure;
            }
        }
        assertThat(alarms()).isEqualTo(Monitoring.alerts());
    }

    private static void assertTold(Alertmanager alertmanager) throws Exception {
        for (String status : List.of("firing", "resolved")) {
            Set<String> received = new TreeSet<>(alertmanager.received("/page", status));
            assertThat(received).contains("BerthProcessDown").doesNotContain("BerthKillSwitchOn");
            received.addAll(alertmanager.received("/ticket", status));
            assertThat(received).as(status).containsAll(Monitoring.alerts());
        }
    }

    private String table(Prometheus prometheus) throws Exception {
        StringBuilder table = new StringBuilder();
        String line = "| %-26s | %-52s | %8s | %9s |%n";
        table.append(String.format(Locale.ROOT, line, "alarm", "fault", "fires, s", "clears, s"));
        for (FaultTimes times : faults) {
            for (String alarm : times.fault().alarms()) {
                Optional<Firing> firing = prometheus.firingAfter(alarm, times.began());
                table.append(String.format(
                        Locale.ROOT,
                        line,
                        alarm,
                        times.fault().what(),
                        firing.map(found -> seconds(times.began(), found.began()))
                                .orElse("never"),
                        firing.map(found -> seconds(times.ended(), found.ended()))
                                .orElse("")));
            }
        }
        return table.toString();
    }

    private static String seconds(Instant from, Instant to) {
        return Long.toString(Duration.between(from, to).toSeconds());
    }

    private Set<String> alarms() {
        Set<String> alarms = new TreeSet<>();
        faults.forEach(times -> alarms.addAll(times.fault().alarms()));
        return alarms;
    }

    private void drill(Prometheus prometheus, List<AlarmFault> together) throws Exception {
        List<String> expected =
                together.stream().flatMap(fault -> fault.alarms().stream()).toList();
        expect(
                "silence before " + expected,
                CLEARS,
                () -> firing(prometheus).stream().noneMatch(expected::contains));
        List<Instant> began = new ArrayList<>();
        List<Instant> made = new ArrayList<>();
        for (AlarmFault fault : together) {
            LOG.warn("begins: {}", fault.what());
            began.add(Instant.now());
            fault.begin().run();
            made.add(Instant.now());
        }
        // The first may clear by itself before the last fires.
        Set<String> fired = new TreeSet<>();
        expect("alarms " + expected, FIRES, () -> {
            fired.addAll(firing(prometheus));
            return fired.containsAll(expected);
        });
        for (int index = 0; index < together.size(); index++) {
            AlarmFault fault = together.get(index);
            Instant ended = fault.isBrief() ? made.get(index) : Instant.now();
            fault.end().run();
            LOG.warn("ended: {}", fault.what());
            faults.add(new FaultTimes(fault, began.get(index), ended));
        }
    }

    /** What does not come is reported at the end, so that one fault does not hide the next. */
    private void expect(String what, Duration time, Callable<Boolean> condition) {
        try {
            await().atMost(time).pollInterval(Duration.ofSeconds(1)).until(condition);
        } catch (ConditionTimeoutException missing) {
            LOG.warn("in vain: {}", what);
            wrong.add(what);
        }
    }

    private static Set<String> firing(Prometheus prometheus) throws Exception {
        Set<String> firing = new TreeSet<>();
        for (Prometheus.Series series : prometheus.query("ALERTS{alertstate=\"firing\"}")) {
            firing.add(series.metric().get("alertname"));
        }
        return firing;
    }
}
