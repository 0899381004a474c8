package dev.berth.api;

import dev.berth.activities.risk.ActiveOrders;
import dev.berth.activities.risk.OrderGate;
import dev.berth.activities.risk.RedisQuotes;
import dev.berth.activities.risk.RiskCopy;
import dev.berth.activities.risk.RiskStore;
import io.lettuce.core.api.StatefulRedisConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The adapters of what may be sent. */
@Configuration
class RiskAdapters {
    @Bean
    RiskStore riskStore(JdbcTemplate postgres, PlatformTransactionManager transactions) {
        return new RiskStore(postgres, new TransactionTemplate(transactions));
    }

    @Bean
    RiskCopy riskCopy(RiskStore store, StatefulRedisConnection<String, String> redis) {
        return new RiskCopy(store, redis.sync());
    }

    @Bean
    RedisQuotes redisQuotes(StatefulRedisConnection<String, String> redis, BerthSettings settings) {
        return new RedisQuotes(redis.sync(), settings.orders().symbols());
    }

    @Bean
    OrderGate orderGate(StatefulRedisConnection<String, String> redis, BerthSettings settings) {
        BerthSettings.Admission admission = settings.admission();
        return new OrderGate(redis, admission.maxActive(), admission.maxActivePerUser());
    }

    @Bean
    ActiveOrders activeOrders(StatefulRedisConnection<String, String> redis) {
        return new ActiveOrders(redis.sync());
    }
}
