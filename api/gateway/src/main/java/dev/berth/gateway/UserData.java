package dev.berth.gateway;

import dev.berth.routing.StreamEvents;
import dev.berth.temporal.gateway.GatewayMessages.PublishRequest;
import dev.berth.temporal.gateway.GatewayMessages.RiskAnswer;
import dev.berth.temporal.gateway.GatewayMessages.RiskRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.risk.OrderHold;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a worker reads of its own user in Redis, and what it publishes to that user. */
final class UserData {
    /** Nothing of it for a worker whose user has a newer one. */
    private static final String RISK = """
            local epoch = redis.call('GET', KEYS[8])
            if epoch and tonumber(epoch) > tonumber(ARGV[6]) then return {} end
            """ + OrderHold.SCRIPT;

    /**
     * Nothing of a worker whose user has a newer one. KEYS: the user's epoch, the account's
     * reports, reported accounts. ARGV: epoch, report, how many reports are kept, how long in
     * milliseconds, the account.
     */
    private static final String REPORT_ACCOUNT = """
            local epoch = redis.call('GET', KEYS[1])
            if epoch and tonumber(epoch) > tonumber(ARGV[1]) then return -1 end
            redis.call('RPUSH', KEYS[2], ARGV[1] .. ' ' .. ARGV[2])
            redis.call('LTRIM', KEYS[2], -tonumber(ARGV[3]), -1)
            redis.call('PEXPIRE', KEYS[2], ARGV[4])
            local time = redis.call('TIME')
            redis.call('ZADD', KEYS[3], 'NX', string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)), ARGV[5])
            return 0
            """;

    /** While PostgreSQL does not answer, the newest stay: later ones replace earlier ones. */
    private static final int KEPT_REPORTS = 16;

    private static final Duration REPORTS_KEPT = Duration.ofHours(1);

    private static final Pattern SYMBOL = Pattern.compile("[A-Z0-9./-]{1,32}");

    private final RedisCommands<String, String> redis;
    private final StreamEvents events;
    private final Refusals refusals;
    private final InstantSource clock;

    UserData(RedisCommands<String, String> redis, Refusals refusals, InstantSource clock) {
        this.clock = clock;
        this.redis = redis;
        this.events = new StreamEvents(redis);
        this.refusals = refusals;
    }

    RiskAnswer risk(Caller caller, RiskRequest request) {
        if (!SYMBOL.matcher(request.symbol()).matches()) {
            throw new IllegalArgumentException("the symbol is malformed");
        }
        Assignment serving = caller.serving();
        List<Object> answer = redis.eval(
                RISK,
                ScriptOutputType.MULTI,
                Stream.concat(OrderHold.keys(serving.userId()).stream(), Stream.of(RedisKeys.epoch(serving.userId())))
                        .toArray(String[]::new),
                OrderHold.arguments(serving.userId(), serving.epoch(), request.account(), request.symbol())
                        .toArray(String[]::new));
        if (answer.isEmpty()) {
            throw refusals.superseded(GatewayMethods.READ_RISK);
        }
        return new RiskAnswer(answer.stream().map(String::valueOf).toList());
    }

    void publish(Caller caller, PublishRequest request) {
        if (!request.state().request().userId().equals(caller.serving().userId())) {
            throw refusals.refuse(
                    GatewayMethods.PUBLISH_ORDER.getFullMethodName(), Refusal.USER, "an order of another user");
        }
        if (!events.publishAnswer(request.state(), caller.serving().epoch())) {
            throw refusals.superseded(GatewayMethods.PUBLISH_ORDER);
        }
    }

    /**
     * Hands it on to the orchestrator, which writes it: a gateway reaches no such table. A clock
     * that is ahead must not make later reports look old.
     */
    void reportAccount(Caller caller, AccountReport report) {
        Assignment serving = caller.serving();
        String reported = RedisKeys.reportedAccount(serving.userId(), report.account());
        long outcome = redis.<Long>eval(
                REPORT_ACCOUNT,
                ScriptOutputType.INTEGER,
                new String[] {
                    RedisKeys.epoch(serving.userId()), RedisKeys.accountReports(reported), RedisKeys.REPORTED_ACCOUNTS
                },
                Long.toString(serving.epoch()),
                Json.write(report.notAfter(clock.instant())),
                Integer.toString(KEPT_REPORTS),
                Long.toString(REPORTS_KEPT.toMillis()),
                reported);
        if (outcome < 0) {
            throw refusals.superseded(GatewayMethods.REPORT_ACCOUNT);
        }
    }
}
