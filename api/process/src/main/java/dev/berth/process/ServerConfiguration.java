package dev.berth.process;

import com.zaxxer.hikari.HikariDataSource;
import java.time.InstantSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The clock, and a pool of connections that explains its faults. */
@Configuration
class ServerConfiguration {
    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }

    @Bean
    static BeanPostProcessor postgresConnections() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof HikariDataSource pool ? new PostgresConnections(pool) : bean;
            }
        };
    }
}
