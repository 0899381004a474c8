package dev.berth.activities.account;

import dev.berth.activities.broker.AccountStore;
import dev.berth.routing.StreamEvents;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.broker.AccountKey;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Brings workers' reports from Redis, where gateways put them, to PostgreSQL. Two that bring the
 * same report change nothing.
 */
public final class ReportedAccounts {
    private static final Logger LOG = LoggerFactory.getLogger(ReportedAccounts.class);
    /** Of one account at a time; a gateway keeps no more. */
    private static final int MOST = 16;
    /** What a replica took, and could not record or did not live to, another takes then. */
    private static final Duration CLAIM = Duration.ofSeconds(10);

    private static final String BLANK = " ";

    /** KEYS: reported accounts. ARGV: how many, the claim in milliseconds. */
    private static final String TAKE = """
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
            for _, account in ipairs(due) do
              redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), account)
            end
            return due
            """;

    /**
     * KEYS: reported accounts, the account's reports. ARGV: the account. A report that came
     * meanwhile is due at once.
     */
    private static final String END = """
            if redis.call('EXISTS', KEYS[2]) == 0 then return redis.call('ZREM', KEYS[1], ARGV[1]) end
            return redis.call('ZADD', KEYS[1], 0, ARGV[1])
            """;

    private final RedisCommands<String, String> redis;
    private final AccountReadModel accounts;
    private final AccountStore stored;
    private final StreamEvents events;

    public ReportedAccounts(RedisCommands<String, String> redis, AccountReadModel accounts, AccountStore stored) {
        this.redis = redis;
        this.accounts = accounts;
        this.stored = stored;
        this.events = new StreamEvents(redis);
    }

    /** What waits in Redis for PostgreSQL. */
    private record Waiting(UserId userId, AccountKey account) {
        /** Empty for what is none. */
        static Optional<Waiting> parse(String reported) {
            int colon = reported.indexOf(':');
            try {
                return UserId.parse(reported.substring(0, Math.max(0, colon)))
                        .map(userId -> new Waiting(userId, AccountKey.parse(reported.substring(colon + 1))));
            } catch (IllegalArgumentException foreign) {
                return Optional.empty();
            }
        }
    }

    /**
     * Records the reports of some accounts, of those first that have waited longest. One that
     * PostgreSQL does not take keeps its reports, and holds up no other.
     *
     * @return how many accounts were taken
     */
    public int record(int limit) {
        List<String> taken = redis.eval(
                TAKE,
                ScriptOutputType.MULTI,
                new String[] {RedisKeys.REPORTED_ACCOUNTS},
                Integer.toString(limit),
                Long.toString(CLAIM.toMillis()));
        for (String reported : taken) {
            Optional<Waiting> account = Waiting.parse(reported);
            try {
                if (account.isPresent()) {
                    record(account.get());
                }
                end(reported);
            } catch (DataAccessException refused) {
                LOG.warn("a report of {} is not recorded yet: {}", reported, refused.getMessage());
            }
        }
        return taken.size();
    }

    private void end(String reported) {
        redis.eval(
                END,
                ScriptOutputType.INTEGER,
                new String[] {RedisKeys.REPORTED_ACCOUNTS, RedisKeys.accountReports(reported)},
                reported);
    }

    /**
     * Records what was reported of this account.
     *
     * @throws DataAccessException when PostgreSQL does not take it; nothing is lost
     */
    public void record(UserId userId, AccountKey account) {
        record(new Waiting(userId, account));
    }

    /** A worker may name any account; only those that its user has are kept. */
    private void record(Waiting waiting) {
        String key = RedisKeys.accountReports(RedisKeys.reportedAccount(waiting.userId, waiting.account));
        boolean isKept = stored.has(waiting.userId, waiting.account);
        boolean changed = false;
        for (String report : redis.lrange(key, 0, MOST - 1L)) {
            changed |= isKept && record(waiting, report);
            redis.lrem(key, 1, report);
        }
        if (changed) {
            events.publishAccount(waiting.userId);
        }
    }

    private boolean record(Waiting waiting, String entry) {
        int blank = entry.indexOf(BLANK);
        AccountReport report;
        long epoch;
        try {
            epoch = Long.parseLong(entry.substring(0, Math.max(0, blank)));
            report = Json.read(entry.substring(blank + 1), AccountReport.class);
        } catch (IllegalArgumentException unreadable) {
            LOG.warn("a report of {} cannot be read: {}", waiting.account.masked(), unreadable.getMessage());
            return false;
        }
        return accounts.record(waiting.userId, epoch, report);
    }
}
