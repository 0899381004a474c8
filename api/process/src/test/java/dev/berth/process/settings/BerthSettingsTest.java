package dev.berth.process.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.UserGroup;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

public class BerthSettingsTest {
    /** An application of settings alone. */
    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(BerthSettings.class)
    static class SettingsAlone {}

    public static BerthSettings start(String... settings) {
        try (var context = application().run(settings)) {
            return context.getBean(BerthSettings.class);
        }
    }

    private static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(SettingsAlone.class)
                .properties(
                        "berth.redis-uri=redis://127.0.0.1:16379",
                        "berth.auth.key-file=token.key",
                        "berth.accounts.key-file=accounts.key",
                        "berth.codec.key-file=codec.key")
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false);
    }

    /** Name and value of every setting, however deep. */
    static Map<String, String> flat(String prefix, Record settings) throws ReflectiveOperationException {
        Map<String, String> all = new TreeMap<>();
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            String name = prefix + kebab(component.getName());
            component.getAccessor().setAccessible(true);
            Object value = component.getAccessor().invoke(settings);
            if (value instanceof Record nested) {
                all.putAll(flat(name + ".", nested));
            } else {
                all.put(name, String.valueOf(value));
            }
        }
        return all;
    }

    static String kebab(String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    @Test
    void pinsEveryNameAndDefault() throws Exception {
        assertThat(flat("berth.", start()))
                .isEqualTo(new TreeMap<>(Map.ofEntries(
                        Map.entry("berth.redis-uri", "redis://127.0.0.1:16379"),
                        Map.entry("berth.roles", "[API, ORCHESTRATOR]"),
                        Map.entry("berth.time-limits.lifecycle-step", "PT1M"),
                        Map.entry("berth.time-limits.order-check", "PT2M"),
                        Map.entry("berth.time-limits.sweep", "PT5M"),
                        Map.entry("berth.time-limits.sweep-batch", "PT30S"),
                        Map.entry("berth.time-limits.pool-step", "PT1M"),
                        Map.entry("berth.concurrency.lifecycle-steps", "200"),
                        Map.entry("berth.concurrency.order-steps", "200"),
                        Map.entry("berth.concurrency.fleet-activities", "200"),
                        Map.entry("berth.concurrency.webhook-deliveries", "200"),
                        Map.entry("berth.tls.required", "true"),
                        Map.entry("berth.tls.redis-ca-file", "null"),
                        Map.entry("berth.auth.key-file", "token.key"),
                        Map.entry("berth.auth.issuer", "berth-local"),
                        Map.entry("berth.auth.jwks-uri", "null"),
                        Map.entry("berth.auth.audience", "[berth]"),
                        Map.entry("berth.auth.audience-claim", "aud"),
                        Map.entry("berth.auth.user-claim", "sub"),
                        Map.entry("berth.auth.scope-claim", "[scope, scp]"),
                        Map.entry("berth.auth.roles", ""),
                        Map.entry("berth.ecs.cluster", "berth"),
                        Map.entry("berth.ecs.task-definition", "berth-worker"),
                        Map.entry("berth.ecs.capacity-provider", ""),
                        Map.entry("berth.sqs.pool-claim", "pool-claim"),
                        Map.entry("berth.sqs.task-events", "task-events"),
                        Map.entry("berth.groups", "{}"),
                        Map.entry("berth.pool.minimum", "0"),
                        Map.entry("berth.pool.target", "2"),
                        Map.entry("berth.pool.calendar.exchanges", "[]"),
                        Map.entry("berth.pool.calendar.folder", "null"),
                        Map.entry("berth.pool.calendar.ahead", "PT30M"),
                        Map.entry("berth.pool.calendar.floor", "0"),
                        Map.entry("berth.pool.calendar.ceiling", "50"),
                        Map.entry("berth.pool.calendar.factor", "1.0"),
                        Map.entry("berth.accounts.key-file", "accounts.key"),
                        Map.entry("berth.accounts.kms-key", "null"),
                        Map.entry("berth.accounts.paper-default", "false"),
                        Map.entry("berth.codec.key-file", "codec.key"),
                        Map.entry("berth.codec.ui-origins", "[]"),
                        Map.entry("berth.pool.maximum-lifetime", "PT12H"),
                        Map.entry("berth.launch.per-second", "20.0"),
                        Map.entry("berth.launch.circuit-open-for", "PT30S"),
                        Map.entry("berth.sweep.every", "PT1M"),
                        Map.entry("berth.retention.orders", "PT2160H"),
                        Map.entry("berth.retention.order-ids", "PT17520H"),
                        Map.entry("berth.retention.archive", "null"),
                        Map.entry("berth.orders.symbols", "[]"),
                        Map.entry("berth.orders.dispatch-within", "PT2M"),
                        Map.entry("berth.orders.dispatch-within-max", "PT24H"),
                        Map.entry("berth.orders.live", "false"),
                        Map.entry("berth.admission.max-active", "1024"),
                        Map.entry("berth.admission.max-active-per-user", "64"),
                        Map.entry("berth.admission.reserve", "256"),
                        Map.entry("berth.admission.reserve-per-user", "8"),
                        Map.entry("berth.risk.quotes-url", "null"),
                        Map.entry("berth.risk.quotes-key-id", "null"),
                        Map.entry("berth.risk.quotes-secret-file", "null"),
                        Map.entry("berth.rates.commands-per-second", "2.0"),
                        Map.entry("berth.rates.changes-per-second", "100.0"),
                        Map.entry("berth.rates.reads-per-second", "200.0"),
                        Map.entry("berth.streams.max", "1000"),
                        Map.entry("berth.otlp.endpoint", "null"),
                        Map.entry("berth.page.temporal-ui", "null"),
                        Map.entry("berth.streams.max-per-user", "20"),
                        Map.entry("berth.web-socket.ping", "PT15S"),
                        Map.entry("berth.web-socket.slow-after", "PT10S"),
                        Map.entry("berth.webhooks.allow-private", "false"),
                        Map.entry("berth.webhooks.first-retry", "PT5S"),
                        Map.entry("berth.webhooks.give-up-after", "PT24H"),
                        Map.entry("berth.gateway.port", "17233"),
                        Map.entry("berth.gateway.reuse-port", "false"),
                        Map.entry("berth.gateway.key-file", "null"),
                        Map.entry("berth.gateway.ca-certificate-file", "null"),
                        Map.entry("berth.gateway.ca-key-file", "null"),
                        Map.entry("berth.gateway.certificate-file", "null"),
                        Map.entry("berth.gateway.certificate-key-file", "null"),
                        Map.entry("berth.gateway.names", "[localhost, 127.0.0.1]"),
                        Map.entry("berth.gateway.training", "false"),
                        Map.entry("berth.gateway.enrolment-key-file", "null"))));
    }

    @Test
    void sessionsMayNotExceedCeiling() {
        assertThat(start("--berth.pool.target=51").pool().target()).isEqualTo(51);
        assertThatThrownBy(() -> start("--berth.pool.target=51", "--berth.pool.calendar.exchanges=XNYS,XTAI"))
                .hasStackTraceContaining("berth.pool.calendar.ceiling must be at least berth.pool.target");
    }

    @Test
    void unknownSettingFailsStart() {
        assertThatThrownBy(() -> start("--berth.orders.dispatch-witin=PT1S"))
                .hasStackTraceContaining("berth.orders.dispatch-witin");
    }

    @ParameterizedTest
    @CsvSource({
        "berth.roles=, roles",
        "berth.roles=trader, berth.roles",
        "berth.pool.target=-1, pool.target",
        "berth.pool.minimum=-1, pool.minimum",
        "berth.pool.minimum=3, berth.pool.minimum",
        "berth.pool.maximum-lifetime=PT0S, berth.pool.maximum-lifetime",
        "berth.pool.calendar.ahead=-PT1S, berth.pool.calendar.ahead",
        "berth.pool.calendar.floor=51, berth.pool.calendar.ceiling",
        "berth.pool.calendar.factor=0, pool.calendar.factor",
        "berth.groups.Gold!.pool-target=1, berth.groups",
        "berth.groups.default.pool-target=1, berth.groups.default",
        "berth.groups.gold.pool-minimum=2, minimum 2",
        "berth.groups.gold.size=2, berth.groups.gold.size",
        "berth.launch.per-second=0, launch.perSecond",
        "berth.launch.circuit-open-for=PT0S, berth.launch.circuit-open-for",
        "berth.sweep.every=PT0.5S, berth.sweep.every",
        "berth.time-limits.order-check=PT0S, berth.time-limits.order-check",
        "berth.time-limits.sweep=PT2H, berth.time-limits.sweep",
        "berth.concurrency.order-steps=49, concurrency.orderSteps",
        "berth.concurrency.lifecycle-steps=501, concurrency.lifecycleSteps",
        "berth.concurrency.webhook-deliveries=0, concurrency.webhookDeliveries",
        "berth.auth.key-file=, Set berth.auth.issuer",
        "berth.auth.audience=, auth.audience",
        "berth.auth.audience-claim=, auth.audienceClaim",
        "berth.auth.user-claim=, auth.userClaim",
        "berth.auth.scope-claim=, auth.scopeClaim",
        "berth.ecs.cluster=, ecs.cluster",
        "berth.sqs.pool-claim=, sqs.poolClaim",
        "berth.accounts.kms-key=arn:aws:kms:eu-west-1:111122223333:key/1, Set exactly one",
        "berth.accounts.key-file=, Set exactly one",
        "berth.accounts.paper-default=perhaps, berth.accounts.paper-default",
        "berth.orders.dispatch-within=soon, berth.orders.dispatch-within",
        "berth.orders.dispatch-within=PT0S, berth.orders.dispatch-within",
        "berth.orders.dispatch-within=PT25H, berth.orders.dispatch-within-max",
        "berth.admission.max-active=0, admission.maxActive",
        "berth.admission.max-active-per-user=0, admission.maxActivePerUser",
        "berth.risk.quotes-key-id=key, Set both",
        "berth.rates.commands-per-second=0, rates.commandsPerSecond",
        "berth.rates.changes-per-second=-1, rates.changesPerSecond",
        "berth.rates.reads-per-second=many, berth.rates.reads-per-second",
        "berth.streams.max=0, streams.max",
        "berth.streams.max-per-user=0, streams.maxPerUser",
        "berth.web-socket.ping=PT0S, longer than zero",
        "berth.webhooks.first-retry=PT0S, berth.webhooks.first-retry must be longer than zero",
        "berth.gateway.port=70000, gateway.port",
        "berth.gateway.certificate-file=server.pem, Set both"
    })
    void invalidValueFailsStart(String setting, String mentioned) {
        assertThatThrownBy(() -> start("--" + setting)).hasStackTraceContaining(mentioned);
    }

    @Test
    void groupsAreReadByTheirNames() {
        BerthSettings settings =
                start("--berth.groups.gold-2.task-definition=golden", "--berth.groups.b.pool-target=0");
        UserGroup gold = new UserGroup("gold-2");
        assertThat(settings.groups())
                .hasSize(2)
                .containsEntry(gold, new GroupOptions("golden", "", 0, 1, Duration.ofHours(12)))
                .containsEntry(new UserGroup("b"), new GroupOptions("", "", 0, 0, Duration.ofHours(12)));
    }

    @Test
    void environmentVariablesSetEverySetting() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of(
                                        "BERTH_REDIS_URI", "redis://elsewhere",
                                        "BERTH_AUTH_KEY_FILE", "other.key",
                                        "BERTH_ACCOUNTS_KEY_FILE", "other.key",
                                        "BERTH_ACCOUNTS_KMS_KEY", "",
                                        "BERTH_ACCOUNTS_PAPER_DEFAULT", "true",
                                        "BERTH_GROUPS_GOLD_TASK_DEFINITION", "golden",
                                        "BERTH_GROUPS_GOLD_POOL_TARGET", "3",
                                        "BERTH_ORDERS_SYMBOLS", "AAPL,SPY",
                                        "BERTH_ORDERS_DISPATCH_WITHIN", "PT5S")));
        try (var context = application().environment(environment).run()) {
            BerthSettings settings = context.getBean(BerthSettings.class);
            assertThat(settings.redisUri()).hasToString("redis://elsewhere");
            assertThat(settings.auth().keyFile()).hasToString("other.key");
            assertThat(settings.accounts())
                    .isEqualTo(new BerthSettings.AccountSettings(Path.of("other.key"), null, true));
            assertThat(settings.orders().symbols()).containsExactlyInAnyOrder("AAPL", "SPY");
            assertThat(settings.orders().dispatchWithin()).hasSeconds(5);
            assertThat(settings.groups())
                    .containsOnly(Map.entry(
                            new UserGroup("gold"), new GroupOptions("golden", "", 0, 3, Duration.ofHours(12))));
        }
    }
}
