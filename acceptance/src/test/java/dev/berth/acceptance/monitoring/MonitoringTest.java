package dev.berth.acceptance.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.webhook.WebhookReceiver;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Rules and dashboards on a running stack, read by a real Prometheus. */
@ExtendWith(StackExtension.class)
class MonitoringTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final int HOSTS = 2;
    private static final String POOL = "{\"minimum\":0,\"target\":2,\"maximumLifetime\":\"PT12H\"}";

    private final Stack stack;
    private final FleetOperator operator;
    private final RestClient gateway;

    MonitoringTest(Stack stack) throws IOException {
        this.stack = stack;
        this.operator = FleetOperator.of(stack);
        this.gateway = new RestClient(URI.create("http://127.0.0.1:" + stack.port("METRICS", 17234)));
    }

    @AfterEach
    void restoreStack() throws Exception {
        operator.killSwitch("user:told", false);
        stack.trader("told").delete("/v1/webhooks/gone");
        EcsApi.of(stack).hosts(HOSTS);
        new TemporalCli(stack).workflow("signal", "--workflow-id", "pool", "--name", "resize", "--input", POOL);
        Eventually.idlePool(RedisKeyspace.of(stack));
    }

    @Test
    @Tag("B9")
    @DisplayName(
            "Every metric that a rule or panel names exists in the scrape, and the page explains every one of Berth's")
    void namedMetricsExist() throws Exception {
        Trader trader = Eventually.trading(stack, "monitored");
        trader.submit(OrderBody.market("seen", "AAPL", "buy", "1").json());
        Eventually.order(trader, "seen", "FILLED", TIMEOUT);
        Set<String> missing = new TreeSet<>(Monitoring.named());
        // The SDK reports its own every ten seconds.
        await().atMost(TIMEOUT).untilAsserted(() -> {
            missing.removeAll(Monitoring.scraped(stack.api()));
            missing.removeAll(Monitoring.scraped(gateway));
            assertThat(missing).isEmpty();
        });
        String page = Files.readString(Monitoring.ROOT.resolve("docs/monitoring.md"));
        Set<String> scraped = Monitoring.scraped(stack.api());
        scraped.addAll(Monitoring.scraped(gateway));
        assertThat(scraped)
                .filteredOn(metric -> metric.startsWith("berth_"))
                .allSatisfy(
                        metric -> assertThat(page).contains("`" + metric.replaceAll("_(bucket|sum|count|max)$", "")));
    }

    @Test
    @Tag("B9")
    @Tag("E13")
    @DisplayName("No host has room: an alarm fires while the first order still waits, and clears when a host has room;"
            + " every panel can be drawn")
    void noRoomIsAlarmed(@TempDir Path folder) throws Exception {
        assumeTrue(Prometheus.isInstalled(), "prometheus is not installed: apt-get install prometheus");
        Trader trader = stack.trader("roomless");
        try (Prometheus prometheus = Prometheus.start(stack, folder, Monitoring.rulesPending("1s"))) {
            List<String> failed = new ArrayList<>();
            for (Monitoring.Query query : Monitoring.queries()) {
                if (!prometheus.answersWithList(query.expression())) {
                    failed.add(query.panel());
                }
            }
            assertThat(failed).isEmpty();
            assertThat(prometheus.isFiring("BerthNoRoom")).isFalse();

            Eventually.emptyPool(stack);
            trader.submit(OrderBody.market("waits", "AAPL", "buy", "1")
                    .within(Duration.ofMinutes(5))
                    .json());
            await().atMost(TIMEOUT).until(() -> prometheus.isFiring("BerthNoRoom"));
            assertThat(trader.order("waits").status()).isEqualTo("PENDING");
            assertThat(Files.readString(stack.home().resolve("log/api.log"))).contains("no host has room");

            EcsApi.of(stack).hosts(HOSTS);
            PlacedOrder filled = Eventually.order(trader, "waits", "FILLED", TIMEOUT);
            assertThat(filled.attempts()).isPositive();
            await().atMost(TIMEOUT).until(() -> !prometheus.isFiring("BerthNoRoom"));
        }
    }

    @Test
    @Tag("B5")
    @Tag("B9")
    @DisplayName("A kill switch and a message that a webhook refused are alarmed, and clear when they are gone;"
            + " Alertmanager tells a receiver both")
    void killSwitchAndDeadMessageAreAlarmed(@TempDir Path folder) throws Exception {
        assumeTrue(Prometheus.isInstalled(), "prometheus is not installed: apt-get install prometheus");
        List<String> alarms = List.of("BerthKillSwitchOn", "BerthWebhooksUndelivered");
        Trader trader = stack.trader("told");
        try (Alertmanager alertmanager = Alertmanager.isInstalled() ? Alertmanager.start(folder) : null;
                Prometheus prometheus = Prometheus.start(
                        stack,
                        folder,
                        Monitoring.rulesPending("1s"),
                        List.of(stack.api()),
                        alertmanager == null ? "" : alertmanager.address());
                WebhookReceiver gone = WebhookReceiver.start()) {
            gone.answer(410);
            String hook = "{\"url\":\"%s\",\"events\":[\"order.final\"]}".formatted(gone.url());
            stack.api().call("PUT", "/v1/webhooks/gone", hook, "Authorization", trader.bearer());
            trader.post("/v1/webhooks/gone:test");
            operator.killSwitch("user:told", true);
            for (String alarm : alarms) {
                await().atMost(TIMEOUT).until(() -> prometheus.isFiring(alarm));
            }
            operator.killSwitch("user:told", false);
            trader.delete("/v1/webhooks/gone");
            for (String alarm : alarms) {
                await().atMost(TIMEOUT).until(() -> !prometheus.isFiring(alarm));
            }
            if (alertmanager != null) {
                for (String status : List.of("firing", "resolved")) {
                    await().atMost(TIMEOUT)
                            .until(() ->
                                    alertmanager.received("/ticket", status).containsAll(alarms));
                }
            }
        }
    }
}
