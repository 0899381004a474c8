package dev.berth.rest.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.webhook.Webhook;
import dev.berth.workflows.webhook.WebhookOwner;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookViewTest {
    private static String read(WebhookOwner owner, String url) {
        return WebhookView.read(new Webhook(owner, "ops", URI.create(url), List.of("order.failed")))
                .url();
    }

    @ParameterizedTest
    @Tag("X32")
    @DisplayName(
            "Of the operators' webhooks only the server is shown, since path and query may be a secret; a user sees"
                    + " the own whole")
    @CsvSource({
        "https://hooks.example.com/services/T0/B0/secret, https://hooks.example.com/…",
        "https://example.com:8443/?key=secret, https://example.com:8443/…",
        "https://example.com?key=secret, https://example.com/…",
        "https://example.com/, https://example.com/",
        "https://example.com, https://example.com"
    })
    void addressMayBeSecret(String url, String shown) {
        assertThat(read(WebhookOwner.FLEET, url)).isEqualTo(shown);
        assertThat(read(new WebhookOwner("alice"), url)).isEqualTo(url);
    }
}
