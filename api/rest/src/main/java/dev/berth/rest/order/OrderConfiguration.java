package dev.berth.rest.order;

import dev.berth.activities.order.EventSearch;
import dev.berth.activities.order.UserEventLog;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Adapters for orders. */
@Configuration
class OrderConfiguration {

    @Bean
    EventSearch eventSearch(JdbcTemplate postgres) {
        return new EventSearch(postgres);
    }

    @Bean
    UserEventLog userEventLog(JdbcTemplate postgres, PlatformTransactionManager transactions) {
        return new UserEventLog(postgres, new TransactionTemplate(transactions));
    }
}
