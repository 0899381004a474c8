package dev.berth.rest.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.activities.webhook.Webhook;
import dev.berth.activities.webhook.WebhookStore;
import dev.berth.workflows.webhook.WebhookOwner;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A webhook as its owner sees it.
 *
 * @param secret in the answer that stored it, and never again
 */
@Schema(name = "Webhook")
record WebhookView(
        String name,
        String url,
        List<String> events,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String secret) {

    static WebhookView stored(Webhook webhook, String secret) {
        return new WebhookView(webhook.name(), webhook.url().toString(), webhook.events(), secret);
    }

    /**
     * Without a secret. Chat and paging services put theirs into path or query, and every operator
     * who may read sees the operators' webhooks: of those only the server is shown.
     */
    static WebhookView read(Webhook webhook) {
        URI url = webhook.url();
        String server = url.getScheme() + "://" + url.getRawAuthority() + "/";
        boolean isShown =
                !webhook.owner().equals(WebhookOwner.FLEET) || url.toString().length() <= server.length();
        return new WebhookView(webhook.name(), isShown ? url.toString() : server + "…", webhook.events(), null);
    }

    /** All of an owner. */
    @Schema(name = "Webhooks")
    record All(List<WebhookView> webhooks) {}

    /**
     * The body that stores a webhook.
     *
     * @param secret {@code whsec_} and Base64; without one it is made
     */
    @Schema(name = "NewWebhook")
    record New(
            @Schema(requiredMode = Schema.RequiredMode.REQUIRED, example = "https://example.com/hook") @Nullable
            String url,

            @Schema(requiredMode = Schema.RequiredMode.REQUIRED, example = "[\"order.failed\"]") @Nullable
            List<String> events,

            @Nullable String secret) {

        /** @throws IllegalArgumentException with the first error */
        Webhook of(WebhookOwner owner, String name) {
            if (url == null || events == null || events.stream().anyMatch(event -> event == null)) {
                throw new IllegalArgumentException("Send url and events.");
            }
            try {
                return new Webhook(owner, name, new URI(url), events);
            } catch (URISyntaxException invalid) {
                throw new IllegalArgumentException("url is an https address without user or fragment.", invalid);
            }
        }

        @Override
        public String toString() {
            return "";
        }
    }

    /**
     * A message that is not delivered.
     *
     * @param status WAITING, SENDING or DEAD
     * @param reason why it was given up
     */
    @Schema(name = "WebhookMessage")
    record Undelivered(
            String id,
            String event,
            Instant createdAt,
            String status,
            @Nullable String reason) {
        static Undelivered of(WebhookStore.Message message) {
            return new Undelivered(
                    message.id(), message.event(), message.createdAt(), message.status(), message.reason());
        }
    }

    /** Undelivered messages, oldest first. */
    @Schema(name = "WebhookMessages")
    record Messages(List<Undelivered> messages) {}

    /** The message that a test sends. */
    @Schema(name = "WebhookTest")
    record Test(String id) {}

    /** How many messages are sent again. */
    @Schema(name = "WebhookRedelivery")
    record Redelivery(int messages) {}
}
