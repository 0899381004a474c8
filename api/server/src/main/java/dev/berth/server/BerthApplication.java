package dev.berth.server;

import dev.berth.orchestrator.OrchestratorConfiguration;
import dev.berth.process.KeyFilesFromEnvironment;
import dev.berth.process.ProcessConfiguration;
import dev.berth.process.settings.Role;
import dev.berth.rest.RestConfiguration;
import dev.berth.server.gateway.GatewayConfiguration;
import dev.berth.server.gateway.GatewayProcess;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Joins the roles of one process: REST, orchestrator, gateway. A process without REST serves health
 * and metrics only.
 */
@SpringBootConfiguration
@EnableAutoConfiguration(exclude = ErrorMvcAutoConfiguration.class)
public class BerthApplication {
    /** Starts it; every setting is in {@code docs/settings.md}. */
    public static void main(String[] args) {
        // The JDK keeps an address for 30 s: so long a server would be unavailable after its
        // failover.
        Security.setProperty("networkaddress.cache.ttl", "5");
        KeyFilesFromEnvironment.write(System.getenv());
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(args));
        of(Role.of(environment)).run(args);
    }

    /** An application that is not started. */
    static SpringApplication of(Set<Role> roles) {
        List<Class<?>> sources = new ArrayList<>(List.of(BerthApplication.class));
        if (roles.equals(Role.GATEWAY_ALONE)) {
            sources.add(GatewayProcess.class);
        } else {
            sources.add(ProcessConfiguration.class);
            sources.add(RoleQueues.class);
        }
        sources.add(roles.contains(Role.API) ? RestConfiguration.class : WithoutRest.class);
        if (roles.contains(Role.ORCHESTRATOR)) {
            sources.add(OrchestratorConfiguration.class);
        }
        if (roles.contains(Role.GATEWAY)) {
            sources.add(GatewayConfiguration.class);
        }
        SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
        application.addInitializers(context -> requireRoles(roles, context.getEnvironment()));
        return application;
    }

    /** A file of settings is read only when the parts of the process are chosen already. */
    private static void requireRoles(Set<Role> roles, Environment environment) {
        if (!Role.of(environment).equals(roles)) {
            throw new IllegalArgumentException(
                    "Set berth.roles by the variable BERTH_ROLES, an argument or a system property, and in no file.");
        }
    }
}
