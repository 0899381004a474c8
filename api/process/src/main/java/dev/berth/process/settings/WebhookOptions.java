package dev.berth.process.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Messages to users' own servers.
 *
 * @param allowPrivate whether receivers may have private addresses and plain http
 * @param firstRetry pause after a failed attempt; each is three times the one before, up to 3 h
 * @param giveUpAfter from the first attempt until the message goes to the dead list
 */
public record WebhookOptions(
        @DefaultValue("false") boolean allowPrivate,
        @DefaultValue("PT5S") Duration firstRetry,
        @DefaultValue("PT24H") Duration giveUpAfter) {

    public WebhookOptions {
        if (!firstRetry.isPositive() || firstRetry.compareTo(giveUpAfter) >= 0) {
            throw new IllegalArgumentException("berth.webhooks.first-retry must be longer than zero and shorter than"
                    + " berth.webhooks.give-up-after, not " + firstRetry);
        }
    }
}
