package dev.berth.api.audit;

import dev.berth.activities.audit.AuditLog;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The adapter for the audit. */
@Configuration
class AuditConfiguration {
    @Bean
    AuditLog auditLog(JdbcTemplate postgres, PlatformTransactionManager transactions) {
        return new AuditLog(postgres, new TransactionTemplate(transactions));
    }
}
