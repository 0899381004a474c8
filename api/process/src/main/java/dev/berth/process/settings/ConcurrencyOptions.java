package dev.berth.process.settings;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much one process does at once. The SDK has threads for 600 workflow tasks.
 *
 * @param lifecycleSteps workflow tasks of lifecycles, pool and sweeps, and their quick calls
 * @param orderSteps workflow tasks of orders, and their quick calls
 * @param fleetActivities batches of a sweep, stops of tasks
 * @param webhookDeliveries attempts to reach receivers of webhooks, each up to 15 s long
 */
public record ConcurrencyOptions(
        @DefaultValue("200") @Min(50) @Max(500) int lifecycleSteps,
        @DefaultValue("200") @Min(50) @Max(500) int orderSteps,
        @DefaultValue("200") @Min(50) @Max(500) int fleetActivities,
        @DefaultValue("200") @Min(50) @Max(500) int webhookDeliveries) {}
