package dev.berth.api;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The API and the orchestrator. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class BerthApplication {
    /** Starts it; every setting is in {@code docs/settings.md}. */
    public static void main(String[] args) {
        SpringApplication.run(BerthApplication.class, args);
    }
}
