package dev.berth.process;

import dev.berth.activities.retention.ArchiveFolder;
import dev.berth.activities.retention.OrderArchive;
import dev.berth.process.settings.BerthSettings;
import dev.berth.process.settings.RetentionOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/** The archive and its place. */
@Configuration
class RetentionConfiguration {
    @Bean
    OrderArchive orderArchive(
            JdbcTemplate postgres,
            PlatformTransactionManager transactions,
            BerthSettings settings,
            InstantSource clock) {
        RetentionOptions options = settings.retention();
        Path folder = options.archive();
        return new OrderArchive(
                postgres,
                transactions,
                new OrderArchive.Times(options.orders(), options.orderIds()),
                folder == null ? null : new ArchiveFolder(folder),
                clock);
    }
}
