package dev.berth.server.gateway;

import dev.berth.process.TemporalProfile;
import dev.berth.process.TlsRequirement;
import dev.berth.temporal.TemporalClients;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.spring.boot.TemporalOptionsCustomizer;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * A process with the role {@code gateway} alone: no REST but metrics and health, no ECS, none
 * of their keys; of PostgreSQL the journals of FIX sessions alone. Workers call it, so it holds as
 * little as it can.
 */
@Configuration
@EnableAutoConfiguration(
        excludeName = {
            "io.temporal.spring.boot.autoconfigure.NonRootNamespaceAutoConfiguration",
            "io.temporal.spring.boot.autoconfigure.RootNamespaceAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@Import(TlsRequirement.class)
public class GatewayProcess {
    @Bean
    TemporalOptionsCustomizer<WorkflowServiceStubsOptions.Builder> stubs() {
        return options -> TemporalProfile.applied(TemporalClients.stubs(options), System.getenv());
    }
}
