package dev.berth.process;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import dev.failsafe.RateLimiter;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at each failure of a pooled connection. After a failover the connections to the former
 * primary live on, and it is read-only: they are given up, and new ones find the new primary.
 */
final class PostgresFaults implements SQLExceptionOverride {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresFaults.class);
    /** {@code read_only_sql_transaction}. The codes are those of PostgreSQL's appendix A. */
    private static final String READ_ONLY = "25006";

    private static final String DISK_FULL = "53100";
    private static final String TOO_MANY_CONNECTIONS = "53300";

    private final RareWarnings warnings = new RareWarnings(LOG);
    /** While every server is read-only, reads go on. */
    private final RateLimiter<Object> evictions =
            RateLimiter.burstyBuilder(1, Duration.ofSeconds(1)).build();

    private final HikariDataSource pool;

    PostgresFaults(HikariDataSource pool) {
        this.pool = pool;
    }

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        if (READ_ONLY.equals(failure.getSQLState())) {
            if (evictions.tryAcquirePermit()) {
                LOG.warn("PostgreSQL is read-only, as a former primary is: connecting anew");
                pool.getHikariPoolMXBean().softEvictConnections();
            }
            return Override.MUST_EVICT;
        }
        explain(failure.getSQLState());
        return Override.CONTINUE_EVICT;
    }

    /** Says what to do about the failure. */
    void explain(@Nullable String state) {
        if (DISK_FULL.equals(state)) {
            warnings.give("PostgreSQL's disk is full. Orders go on without their rows; the audit and switches do not."
                    + " Make room on the disk.");
        } else if (TOO_MANY_CONNECTIONS.equals(state)) {
            warnings.give("PostgreSQL has no connection left. Each API takes up to"
                    + " spring.datasource.hikari.maximum-pool-size: lower it, or raise max_connections.");
        }
    }
}
