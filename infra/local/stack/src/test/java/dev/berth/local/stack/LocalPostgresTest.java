package dev.berth.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPostgresTest {
    @Test
    @Tag("X1")
    @DisplayName("Committed data survives a kill of the server")
    void commitsAreSynchronous(@TempDir Path folder) throws Exception {
        try (LocalPostgres postgres = LocalPostgres.start(0, folder);
                Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
                Statement sql = connection.createStatement();
                ResultSet setting = sql.executeQuery("SHOW synchronous_commit")) {
            assertThat(setting.next()).isTrue();
            assertThat(setting.getString(1)).isEqualTo("on");
        }
    }

    @Test
    void dataSurvivesRestartAndIncompleteUnpacking(@TempDir Path folder) throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("bin")).resolve("half"), "of a file");
        try (LocalPostgres postgres = LocalPostgres.start(0, folder);
                Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
                Statement sql = connection.createStatement()) {
            sql.execute("CREATE TABLE kept AS SELECT 7 AS epoch");
        }
        Files.delete(folder.resolve("bin").resolve("unpacked"));
        try (LocalPostgres postgres = LocalPostgres.start(0, folder);
                Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
                Statement sql = connection.createStatement();
                ResultSet kept = sql.executeQuery("SELECT epoch FROM kept")) {
            assertThat(kept.next()).isTrue();
            assertThat(kept.getInt("epoch")).isEqualTo(7);
        }
        assertThat(ProcessHandle.current().descendants())
                .noneMatch(process -> process.info().command().orElse("").startsWith(folder.toString()));
    }
}
