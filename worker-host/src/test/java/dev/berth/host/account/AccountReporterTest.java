package dev.berth.host.account;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.TestHost;
import dev.berth.host.TestVenue;
import dev.berth.host.broker.AlpacaConnector;
import dev.berth.host.broker.AlpacaEndpoints;
import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.order.HangDetector;
import dev.berth.host.order.OrderActivitiesFactory;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.broker.AccountKey;
import io.temporal.failure.ApplicationFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** From a change at the venue to the gateway's list of reports. */
@Tag("T1")
class AccountReporterTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    private final HangDetector hangDetector = HangDetector.endingTheProcess(Duration.ofMinutes(30));
    private final AtomicReference<AccountReporter> reporter = new AtomicReference<>();
    private TestVenue venue;
    private TestGateway gateway;
    private OrderActivitiesFactory activities;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        venue = TestVenue.start(folder);
        gateway = new TestGateway(redis);
        var worker = gateway.worker("task-1", ALICE, 7);
        AlpacaConnector broker =
                new AlpacaConnector(() -> TestVenue.HTTP, new AlpacaEndpoints(venue.uri(), null), 7, LIMIT);
        activities = OrderActivitiesFactory.of(
                ALICE,
                7,
                TestHost.of(worker, "task-1"),
                broker,
                new OrderActivitiesFactory.Dependencies(
                        () -> true,
                        hangDetector,
                        () -> {},
                        account -> Objects.requireNonNull(reporter.get()).changed(account),
                        _ -> {}));
        reporter.set(new AccountReporter(activities.sessions(), worker.client(), LIMIT));
    }

    @AfterEach
    void stop() {
        activities.sessions().close();
        hangDetector.close();
        gateway.close();
        venue.close();
    }

    private List<AccountReport> reports() {
        String key = RedisKeys.accountReports(RedisKeys.reportedAccount(ALICE, ACCOUNT));
        return redis.commands().lrange(key, 0, -1).stream()
                .map(entry -> {
                    assertThat(entry).startsWith("7 ");
                    return Json.read(entry.substring(2), AccountReport.class);
                })
                .toList();
    }

    private void open() throws Exception {
        activities.sessions().open(ACCOUNT, new BrokerCredentials("alice", "paper-alice"), 1);
    }

    @DisplayName("An account is reported when its session opens, and within 2 s of a fill")
    @Test
    void changesAreReported() throws Exception {
        open();
        Awaitility.await().untilAsserted(() -> assertThat(reports()).isNotEmpty());
        assertThat(redis.commands().zrange(RedisKeys.REPORTED_ACCOUNTS, 0, -1))
                .containsExactly("alice:alpaca/equity/paper/paper");
        // The stream is open when it reports.
        Awaitility.await().until(() -> {
            venue.submitForeign("alice", "paper-alice", "f-" + System.nanoTime());
            int reported = reports().size();
            Instant filled = Instant.now();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> reports().size() > reported);
            return Duration.between(filled, Instant.now()).compareTo(Duration.ofSeconds(2)) < 0
                    && !Objects.requireNonNull(reports().getLast().positions()).isEmpty();
        });
    }

    @DisplayName("Many changes within a second make one report more")
    @Test
    void changesAreReportedTogether() throws Exception {
        open();
        Awaitility.await().untilAsserted(() -> assertThat(reports()).hasSize(1));
        for (int change = 0; change < 200; change++) {
            Objects.requireNonNull(reporter.get()).changed(ACCOUNT);
        }
        Awaitility.await().untilAsserted(() -> assertThat(reports()).hasSizeGreaterThan(1));
        Awaitility.await()
                .during(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(reports()).hasSizeLessThan(5));
    }

    @DisplayName("A reading that is asked for reports before it answers; without a session there is none")
    @Test
    void readingReports() throws Exception {
        AccountReporter accounts = Objects.requireNonNull(reporter.get());
        assertThatThrownBy(() -> accounts.report(AccountKey.parse("alpaca/equity/paper/other")))
                .isInstanceOf(ApplicationFailure.class)
                .matches(FailureType.NO_SESSION::isOf);
        open();
        Instant asOf = accounts.report(ACCOUNT);
        assertThat(reports()).extracting(AccountReport::asOf).contains(asOf);
    }
}
