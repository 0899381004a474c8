package dev.berth.process;

import dev.berth.temporal.client.FailingWorkflows;
import dev.berth.temporal.client.LifecycleIndex;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.temporal.client.OrderIndex;
import dev.berth.temporal.client.OrderWorkflowClient;
import io.temporal.client.WorkflowClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How a process lists, signals and queries workflows. */
@Configuration
class WorkflowClientConfiguration {
    @Bean
    LifecycleWorkflowClient lifecycleWorkflowClient(WorkflowClient temporal) {
        return new LifecycleWorkflowClient(temporal);
    }

    @Bean
    OrderWorkflowClient orderWorkflowClient(WorkflowClient temporal) {
        return new OrderWorkflowClient(temporal);
    }

    @Bean
    LifecycleIndex lifecycleIndex(WorkflowClient temporal) {
        return new LifecycleIndex(temporal);
    }

    @Bean
    OrderIndex orderIndex(WorkflowClient temporal) {
        return new OrderIndex(temporal);
    }

    @Bean
    FailingWorkflows failingWorkflows(WorkflowClient temporal) {
        return new FailingWorkflows(temporal);
    }
}
