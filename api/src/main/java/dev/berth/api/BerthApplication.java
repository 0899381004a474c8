package dev.berth.api;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;

/**
 * The API and the orchestrator. What Spring MVC does not answer is answered by
 * {@link ProblemReportValve}.
 */
@SpringBootApplication(exclude = ErrorMvcAutoConfiguration.class)
@ConfigurationPropertiesScan
public class BerthApplication {
    /** Starts it; every setting is in {@code docs/settings.md}. */
    public static void main(String[] args) {
        SpringApplication.run(BerthApplication.class, args);
    }
}
