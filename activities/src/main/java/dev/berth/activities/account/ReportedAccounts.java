package dev.berth.activities.account;

import dev.berth.routing.StreamEvents;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.broker.AccountKey;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings workers' reports from Redis, where gateways put them, to PostgreSQL. Two that bring the
 * same report change nothing; one that ends in the middle leaves the report for the next.
 */
public final class ReportedAccounts {
    private static final Logger LOG = LoggerFactory.getLogger(ReportedAccounts.class);
    /** Of one account at a time; a gateway keeps no more. */
    private static final int MOST = 16;

    private static final String BLANK = " ";

    private final RedisCommands<String, String> redis;
    private final AccountReadModel accounts;
    private final StreamEvents events;

    public ReportedAccounts(RedisCommands<String, String> redis, AccountReadModel accounts) {
        this.redis = redis;
        this.accounts = accounts;
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
     * Records the reports of those accounts that have waited longest.
     *
     * @return how many accounts had some
     * @throws org.springframework.dao.DataAccessException when PostgreSQL does not answer; nothing
     *     is lost
     */
    public int record(int limit) {
        List<String> waiting = redis.zrange(RedisKeys.REPORTED_ACCOUNTS, 0, limit - 1L);
        for (String reported : waiting) {
            // Before the reports are read: one that comes meanwhile lists the account again.
            redis.zrem(RedisKeys.REPORTED_ACCOUNTS, reported);
            Optional<Waiting> account = Waiting.parse(reported);
            if (account.isPresent()) {
                record(account.get());
            }
        }
        return waiting.size();
    }

    /** Records what was reported of this account. */
    public void record(UserId userId, AccountKey account) {
        record(new Waiting(userId, account));
    }

    private void record(Waiting waiting) {
        String reported = RedisKeys.reportedAccount(waiting.userId, waiting.account);
        String key = RedisKeys.accountReports(reported);
        boolean isRecorded = false;
        try {
            boolean changed = false;
            List<String> reports = redis.lrange(key, 0, MOST - 1L);
            for (String report : reports) {
                changed |= record(waiting, report);
            }
            reports.forEach(report -> redis.lrem(key, 1, report));
            isRecorded = true;
            if (changed) {
                events.publishAccount(waiting.userId);
            }
        } finally {
            if (!isRecorded) {
                redis.zadd(RedisKeys.REPORTED_ACCOUNTS, 0, reported);
            }
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
