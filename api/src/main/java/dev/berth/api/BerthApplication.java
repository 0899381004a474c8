package dev.berth.api;

import dev.berth.api.gateway.GatewayProcess;
import java.security.Security;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The API, the orchestrator and the gateway. What Spring MVC does not answer is answered by
 * {@link ProblemReportValve}.
 */
@SpringBootApplication(exclude = ErrorMvcAutoConfiguration.class)
@ConfigurationPropertiesScan
public class BerthApplication {
    /** Starts it; every setting is in {@code docs/settings.md}. */
    public static void main(String[] args) {
        // The JDK keeps an address for 30 s: so long a server would be unavailable after its
        // failover.
        Security.setProperty("networkaddress.cache.ttl", "5");
        KeyFilesFromEnvironment.write(System.getenv());
        SpringApplication.run(isGatewayAlone(args) ? GatewayProcess.class : BerthApplication.class, args);
    }

    private static boolean isGatewayAlone(String[] args) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(args));
        return Role.of(environment).equals(Role.GATEWAY_ALONE);
    }
}
