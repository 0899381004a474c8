package dev.berth.process.settings;

import dev.berth.workflows.UserGroup;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Every setting of Berth. An unknown one fails start-up; defaults and reasons are in
 * {@code docs/settings.md}.
 */
@Validated
@ConfigurationProperties(prefix = "berth", ignoreUnknownFields = false)
public record BerthSettings(
        @NotNull URI redisUri,
        @DefaultValue({"api", "orchestrator"}) @NotEmpty Set<Role> roles,
        @Valid @DefaultValue Tls tls,
        @Valid @DefaultValue AuthOptions auth,
        @Valid @DefaultValue Ecs ecs,
        @Valid @DefaultValue Sqs sqs,
        @Valid @DefaultValue PoolOptions pool,
        @DefaultValue Map<UserGroup, GroupOptions> groups,
        @Valid @DefaultValue AccountSettings accounts,
        @Valid @DefaultValue Codec codec,
        @Valid @DefaultValue Launch launch,
        @Valid @DefaultValue Orders orders,
        @Valid @DefaultValue Admission admission,
        @Valid @DefaultValue Risk risk,
        @Valid @DefaultValue Sweep sweep,
        @Valid @DefaultValue TimeLimitOptions timeLimits,
        @Valid @DefaultValue ConcurrencyOptions concurrency,
        @Valid @DefaultValue RetentionOptions retention,
        @Valid @DefaultValue Rates rates,
        @Valid @DefaultValue Streams streams,
        @Valid @DefaultValue WebSocketOptions webSocket,
        @Valid @DefaultValue Page page,
        @Valid @DefaultValue OtlpOptions otlp,
        @Valid @DefaultValue WebhookOptions webhooks,
        @Valid @DefaultValue GatewayOptions gateway) {

    public BerthSettings {
        if (groups.containsKey(UserGroup.DEFAULT)) {
            throw new IllegalArgumentException(
                    "berth.groups.default is the group of all other users. Set berth.ecs and" + " berth.pool for it.");
        }
    }

    /**
     * Connections to other machines.
     *
     * @param required whether every server except on a loopback address must be reached by TLS
     * @param redisCaFile certificates in PEM of the authorities that Redis's certificate may be of;
     *     absent: those that the JDK trusts
     */
    public record Tls(
            @DefaultValue("true") boolean required,
            @Nullable Path redisCaFile) {}

    /**
     * Where workers run.
     *
     * @param taskDefinition family, or family and revision
     * @param capacityProvider adds hosts when workers find no room; empty: the hosts are given
     */
    public record Ecs(
            @DefaultValue("berth") @NotBlank String cluster,
            @DefaultValue("berth-worker") @NotBlank String taskDefinition,
            @DefaultValue("") String capacityProvider) {}

    /** Names of the queues. */
    public record Sqs(
            @DefaultValue("pool-claim") @NotBlank String poolClaim,
            @DefaultValue("task-events") @NotBlank String taskEvents) {}

    /**
     * Launches of worker tasks, for the pool and for users together.
     *
     * @param perSecond calls of ECS {@code RunTask}, over all replicas
     * @param circuitOpenFor how long the circuit of a failing image stays open before one launch is
     *     tried
     */
    public record Launch(
            @DefaultValue("20") @Positive double perSecond,
            @DefaultValue("PT30S") Duration circuitOpenFor) {

        public Launch {
            if (!circuitOpenFor.isPositive()) {
                throw new IllegalArgumentException(
                        "berth.launch.circuit-open-for must be longer than zero, not " + circuitOpenFor);
            }
        }
    }

    /**
     * The sweep, which finds and heals drift.
     *
     * @param every between the starts of two sweeps; whole seconds
     */
    public record Sweep(@DefaultValue("PT60S") Duration every) {
        public Sweep {
            if (every.compareTo(Duration.ofSeconds(1)) < 0) {
                throw new IllegalArgumentException("berth.sweep.every must be one second or longer, not " + every);
            }
        }
    }

    /**
     * How credentials are stored. Exactly one of the two keys is set.
     *
     * @param keyFile a file with 32 bytes that only its owner can read
     * @param kmsKey ARN of an AWS KMS key
     * @param paperDefault whether every user has an account at the local paper venue until they
     *     store or remove it
     */
    public record AccountSettings(
            @Nullable Path keyFile,
            @Nullable String kmsKey,
            @DefaultValue("false") boolean paperDefault) {

        public AccountSettings {
            kmsKey = kmsKey == null || kmsKey.isBlank() ? null : kmsKey;
            if ((keyFile == null) == (kmsKey == null)) {
                throw new IllegalArgumentException("Set exactly one of berth.accounts.key-file (a file with 32 random"
                        + " bytes, mode 600) and berth.accounts.kms-key (the ARN of a KMS key).");
            }
        }
    }

    /**
     * How what Temporal stores is encrypted, and who may decode it in a browser.
     *
     * @param keyFile a file with the master keys that only its owner can read
     * @param uiOrigins origins of Temporal's Web UI, such as {@code https://temporal.example.com}
     */
    public record Codec(@NotNull Path keyFile, @DefaultValue Set<String> uiOrigins) {}

    /**
     * Which orders are accepted.
     *
     * @param symbols that can be traded; if empty, the venue decides
     * @param dispatchWithin of an order without its own
     * @param dispatchWithinMax the longest that an order may have
     * @param live whether accounts with real money are served
     */
    public record Orders(
            @DefaultValue Set<String> symbols,
            @DefaultValue("PT120S") Duration dispatchWithin,
            @DefaultValue("PT24H") Duration dispatchWithinMax,
            @DefaultValue("false") boolean live) {

        public Orders {
            if (!dispatchWithin.isPositive() || dispatchWithin.compareTo(dispatchWithinMax) > 0) {
                throw new IllegalArgumentException("berth.orders.dispatch-within must be longer than zero and at most"
                        + " berth.orders.dispatch-within-max, not " + dispatchWithin);
            }
        }
    }

    /**
     * How many orders may be active, that is, without the venue's first answer.
     *
     * @param maxActive limit for all users together
     * @param maxActivePerUser limit for one user
     * @param reserve places of {@code maxActive} that only users with few active orders get
     * @param reservePerUser up to this many active orders of one user may use the reserve
     */
    public record Admission(
            @DefaultValue("1024") @Min(1) int maxActive,
            @DefaultValue("64") @Min(1) int maxActivePerUser,
            @DefaultValue("256") @Min(0) int reserve,
            @DefaultValue("8") @Min(1) int reservePerUser) {}

    /**
     * Market data for the risk limits.
     *
     * @param quotesUrl the broker's market data, such as {@code https://data.alpaca.markets}; if
     *     absent, every limit that needs a quote refuses
     * @param quotesKeyId the API key id for the quotes; absent if the broker needs none
     * @param quotesSecretFile a file with the secret of that key
     */
    public record Risk(
            @Nullable URI quotesUrl,
            @Nullable String quotesKeyId,
            @Nullable Path quotesSecretFile) {

        public Risk {
            quotesUrl = quotesUrl == null || quotesUrl.toString().isBlank() ? null : quotesUrl;
            if ((quotesKeyId == null) != (quotesSecretFile == null)) {
                throw new IllegalArgumentException(
                        "Set both of berth.risk.quotes-key-id and berth.risk.quotes-secret-file, or neither.");
            }
        }
    }

    /**
     * Request rates of one user, counted by each process.
     *
     * @param commandsPerSecond requests that start or stop a worker, submit a batch, cancel or
     *     close everything, or change credentials
     * @param changesPerSecond all other requests that change something
     * @param readsPerSecond requests that only read
     */
    public record Rates(
            @DefaultValue("2") @Positive double commandsPerSecond,
            @DefaultValue("100") @Positive double changesPerSecond,
            @DefaultValue("200") @Positive double readsPerSecond) {}

    /**
     * The page at {@code /}.
     *
     * @param temporalUi the list of the namespace's workflows in Temporal's Web UI; without it the
     *     page has no links to Temporal
     */
    public record Page(@Nullable String temporalUi) {}

    /**
     * Event streams: those of one order, and WebSockets, each kind with these limits.
     *
     * @param max open streams of one process, for all users together
     * @param maxPerUser open streams of one user at one process
     */
    public record Streams(
            @DefaultValue("1000") @Min(1) int max,
            @DefaultValue("20") @Min(1) int maxPerUser) {}
}
