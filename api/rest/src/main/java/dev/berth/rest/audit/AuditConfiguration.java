package dev.berth.rest.audit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** The adapter for the audit. */
@Configuration
class AuditConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(AuditConfiguration.class);

    @Bean
    AuditLog auditLog(JdbcTemplate postgres, TransactionTemplate transactions) {
        AuditLog audit = new AuditLog(postgres, transactions);
        Thread.ofVirtual().name("audit-login").start(() -> checkLogin(audit));
        return audit;
    }

    private static void checkLogin(AuditLog audit) {
        try {
            if (audit.isChangeable()) {
                LOG.warn("this login may change the audit; log in to PostgreSQL as berth_api (docs/settings.md)");
            }
        } catch (DataAccessException unavailable) {
            LOG.warn("the login was not checked against the audit: {}", unavailable.getMessage());
        }
    }
}
