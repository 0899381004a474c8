package dev.berth.server.gateway;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.springframework.core.env.Environment;

/** The connections of a gateway to PostgreSQL, where the journals of FIX sessions are. */
final class JournalDatabase {
    private static final int CONNECTIONS = 10;
    /** A worker's call has 2 s. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final String SETTING = "spring.datasource.";

    private JournalDatabase() {}

    /** Connects when the first worker with a FIX session calls, and not before. */
    static HikariDataSource connections(Environment environment) {
        String url = environment.getProperty(SETTING + "url");
        if (url == null || url.isBlank()) {
            throw new IllegalArgumentException("Set " + SETTING + "url: a gateway keeps the journals of FIX sessions.");
        }
        HikariDataSource pool = new HikariDataSource();
        pool.setPoolName("journals");
        pool.setJdbcUrl(url);
        pool.setUsername(environment.getProperty(SETTING + "username"));
        pool.setPassword(environment.getProperty(SETTING + "password"));
        pool.setMaximumPoolSize(CONNECTIONS);
        pool.setMinimumIdle(0);
        pool.setConnectionTimeout(PATIENCE.toMillis());
        pool.setInitializationFailTimeout(-1);
        pool.addDataSourceProperty("connectTimeout", PATIENCE.toSeconds());
        pool.addDataSourceProperty("socketTimeout", 2 * PATIENCE.toSeconds());
        pool.addDataSourceProperty("tcpKeepAlive", true);
        pool.addDataSourceProperty(
                "options", "-c statement_timeout=" + PATIENCE.toMillis() + " -c lock_timeout=" + PATIENCE.toMillis());
        return pool;
    }
}
