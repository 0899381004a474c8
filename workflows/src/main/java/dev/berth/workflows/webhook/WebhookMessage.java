package dev.berth.workflows.webhook;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;

/**
 * A message to a webhook, and how long it is tried.
 *
 * @param webhook its name
 * @param messageId the same in every attempt, so that the receiver can tell a repeat
 * @param firstRetry pause after the first attempt; each pause is three times the one before
 * @param giveUpAfter since the first attempt
 */
public record WebhookMessage(
        @JsonProperty("userId") WebhookOwner owner,
        String webhook,
        String messageId,
        Duration firstRetry,
        Duration giveUpAfter) {}
