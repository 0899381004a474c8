package dev.berth.local.stack;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import org.apache.commons.io.FileUtils;

/**
 * A real PostgreSQL on 127.0.0.1 with the database {@code postgres}. Its users are {@code postgres}
 * (superuser) and the roles of {@code postgres-roles.sql}, each with any password. Data survive a
 * restart.
 */
public final class LocalPostgres implements AutoCloseable {
    private final EmbeddedPostgres postgres;

    private LocalPostgres(EmbeddedPostgres postgres) {
        this.postgres = postgres;
    }

    /**
     * Ready when it returns. After a power cut it recovers from its log.
     *
     * @param port 0 takes a free one
     * @param directory data and binaries; made when absent
     */
    public static LocalPostgres start(int port, Path directory) throws IOException {
        Path binaries = directory.resolve("bin");
        Path unpacked = binaries.resolve("unpacked");
        if (!Files.exists(unpacked)) {
            // An earlier start was cut off while it unpacked; the library stumbles over the half of
            // it.
            FileUtils.deleteDirectory(binaries.toFile());
        }
        Files.createDirectories(binaries);
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(directory.resolve("data"))
                .setOverrideWorkingDirectory(binaries.toFile())
                .setCleanDataDirectory(false)
                .setServerConfig("max_connections", "100")
                // The library's default loses what was committed just before a kill.
                .setServerConfig("synchronous_commit", "on")
                .setPGStartupWait(Duration.ofSeconds(60));
        EmbeddedPostgres postgres = (port == 0 ? builder : builder.setPort(port)).start();
        Files.write(unpacked, new byte[0]);
        createRoles(postgres);
        return new LocalPostgres(postgres);
    }

    /** A data folder from before the roles gets them too, and its tables their owner. */
    private static void createRoles(EmbeddedPostgres postgres) throws IOException {
        try (InputStream script = LocalPostgres.class.getResourceAsStream("/postgres-roles.sql");
                Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            byte[] sql = Objects.requireNonNull(script).readAllBytes();
            statement.execute(new String(sql, StandardCharsets.UTF_8));
        } catch (SQLException failed) {
            postgres.close();
            throw new IOException("The roles of Berth could not be created in PostgreSQL", failed);
        }
    }

    public int port() {
        return postgres.getPort();
    }

    /** As superuser. */
    public String jdbcUrl() {
        return jdbcUrl("postgres");
    }

    public String jdbcUrl(String role) {
        return postgres.getJdbcUrl(role, "postgres");
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
