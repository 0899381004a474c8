package dev.berth.api;

import io.temporal.spring.boot.autoconfigure.properties.TemporalProperties;
import java.util.Set;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Leaves out beans and Temporal workers that the roles of this process do not need. */
@Configuration(proxyBeanMethods = false)
public class Roles {

    /** Marks beans of the orchestrator. */
    public static final class Orchestrator implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata annotated) {
            return Role.of(context.getEnvironment()).contains(Role.ORCHESTRATOR);
        }
    }

    /** Marks beans of the gateway. */
    public static final class Gateway implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata annotated) {
            return Role.of(context.getEnvironment()).contains(Role.GATEWAY);
        }
    }

    /** Marks what only a process without another role has. */
    public static final class GatewayAlone implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata annotated) {
            return Role.of(context.getEnvironment()).equals(Role.GATEWAY_ALONE);
        }
    }

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
