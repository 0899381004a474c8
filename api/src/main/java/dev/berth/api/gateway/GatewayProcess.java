package dev.berth.api.gateway;

import dev.berth.api.Roles;
import dev.berth.api.TemporalProfile;
import dev.berth.api.TlsRequirement;
import dev.berth.temporal.TemporalClients;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.spring.boot.TemporalOptionsCustomizer;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/**
 * A process with the role {@code gateway} alone: no REST but metrics and health, no PostgreSQL, no
 * ECS, none of their keys. Workers call it, so it holds as little as it can.
 */
@SpringBootConfiguration
@Conditional(Roles.GatewayAlone.class)
@EnableAutoConfiguration(
        excludeName = {
            "io.temporal.spring.boot.autoconfigure.NonRootNamespaceAutoConfiguration",
            "io.temporal.spring.boot.autoconfigure.RootNamespaceAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.web.OAuth2ResourceServerWebSecurityAutoConfiguration"
        })
@Import({GatewayConfiguration.class, TlsRequirement.class})
public class GatewayProcess {
    @Bean
    TemporalOptionsCustomizer<WorkflowServiceStubsOptions.Builder> stubs() {
        return options -> TemporalProfile.applied(TemporalClients.stubs(options), System.getenv());
    }
}
