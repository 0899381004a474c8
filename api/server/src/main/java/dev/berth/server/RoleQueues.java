package dev.berth.server;

import dev.berth.process.settings.Role;
import io.temporal.spring.boot.autoconfigure.properties.TemporalProperties;
import java.util.Set;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Leaves out the Temporal workers that the roles of this process do not need. */
@Configuration(proxyBeanMethods = false)
class RoleQueues {
    /** The starter creates a worker for each configured queue. */
    @Bean
    static BeanPostProcessor queuesOfTheRoles(Environment environment) {
        Set<Role> roles = Role.of(environment);
        return new BeanPostProcessor() {
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                if (bean instanceof TemporalProperties temporal && temporal.getWorkers() != null) {
                    temporal.getWorkers()
                            .removeIf(worker -> roles.stream().noneMatch(role -> role.polls(worker.getTaskQueue())));
                }
                return bean;
            }
        };
    }
}
