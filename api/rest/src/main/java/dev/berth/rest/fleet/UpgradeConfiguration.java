package dev.berth.rest.fleet;

import dev.berth.temporal.client.UpgradeWorkflowClient;
import io.temporal.client.WorkflowClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Reaches the upgrade of the fleet. */
@Configuration
class UpgradeConfiguration {
    @Bean
    UpgradeWorkflowClient upgradeWorkflowClient(WorkflowClient temporal) {
        return new UpgradeWorkflowClient(temporal);
    }
}
