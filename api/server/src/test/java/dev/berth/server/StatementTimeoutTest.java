package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.berth.local.stack.LocalPostgres;
import dev.berth.rest.ProblemAdvice;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** The pool as {@code application.yml} configures it. */
class StatementTimeoutTest {

    private static HikariDataSource pool(LocalPostgres server) throws Exception {
        StandardEnvironment environment = new StandardEnvironment();
        new YamlPropertySourceLoader()
                .load("application", new ClassPathResource("application.yml"))
                .forEach(environment.getPropertySources()::addLast);
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(server.jdbcUrl());
        Binder.get(environment).bind("spring.datasource.hikari", Bindable.ofInstance(pool));
        return pool;
    }

    @Test
    @Tag("X23")
    @DisplayName("PostgreSQL ends a slow statement, and the call answers 503")
    void slowStatementEnds(@TempDir Path folder) throws Exception {
        try (LocalPostgres server = LocalPostgres.start(0, folder);
                HikariDataSource pool = pool(server)) {
            JdbcTemplate postgres = new JdbcTemplate(pool);
            long began = System.nanoTime();
            assertThatThrownBy(() -> postgres.execute("select pg_sleep(9)"))
                    .isInstanceOfSatisfying(DataAccessException.class, ended -> {
                        assertThat(ended).hasRootCauseMessage("ERROR: canceling statement due to statement timeout");
                        assertThat(new ProblemAdvice()
                                        .unavailable(ended)
                                        .getStatusCode()
                                        .value())
                                .isEqualTo(503);
                    });
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(8));
            // The connection is as good as before.
            assertThat(postgres.queryForObject("select 1", Integer.class)).isEqualTo(1);
        }
    }
}
