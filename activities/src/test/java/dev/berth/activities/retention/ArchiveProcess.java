package dev.berth.activities.retention;

import java.nio.file.Path;
import java.util.Objects;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Archives as the workflow does, until nothing is due; for tests that kill it. */
final class ArchiveProcess {
    private ArchiveProcess() {}

    /** @param arguments the database's URL, and the folder */
    static void main(String[] arguments) {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(arguments[0]);
        database.setUser("berth_api");
        OrderArchive archive = new OrderArchive(
                new JdbcTemplate(database),
                new DataSourceTransactionManager(database),
                ArchiveSamples.TIMES,
                new ArchiveFolder(Path.of(arguments[1])),
                () -> ArchiveSamples.NOW);
        Long number = archive.write();
        while (number != null) {
            archive.delete(Objects.requireNonNull(number));
            number = archive.write();
        }
    }
}
