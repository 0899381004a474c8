package dev.berth.activities;

import dev.berth.local.LocalPostgres;
import java.io.IOException;
import java.nio.file.Path;
import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** A real PostgreSQL with Berth's tables. */
public record TestPostgres(LocalPostgres server, JdbcTemplate client) implements AutoCloseable {
    public static TestPostgres start(Path folder) throws IOException {
        LocalPostgres server = LocalPostgres.start(0, folder);
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(server.jdbcUrl());
        Flyway.configure().dataSource(database).load().migrate();
        return new TestPostgres(server, new JdbcTemplate(database));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
