package dev.berth.process;

import dev.berth.temporal.client.AccountWorkflowClient;
import dev.berth.temporal.client.CloseWorkflowClient;
import dev.berth.temporal.client.FailingWorkflows;
import dev.berth.temporal.client.LifecycleIndex;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.temporal.client.MassCancelWorkflowClient;
import dev.berth.temporal.client.OrderIndex;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.temporal.client.UpgradeWorkflowClient;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** How a process lists, signals and queries workflows. */
@Configuration
@Import({
    AccountWorkflowClient.class,
    MassCancelWorkflowClient.class,
    CloseWorkflowClient.class,
    FailingWorkflows.class,
    LifecycleIndex.class,
    LifecycleWorkflowClient.class,
    OrderIndex.class,
    OrderWorkflowClient.class,
    UpgradeWorkflowClient.class
})
class WorkflowClientConfiguration {}
