package dev.berth.activities.webhook;

import static dev.berth.activities.ActivitySamples.ALICE;
import static dev.berth.activities.ActivitySamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.broker.CredentialEnvelope;
import dev.berth.activities.broker.FileWrappingKey;
import dev.berth.activities.broker.KeyFiles;
import dev.berth.workflows.UserId;
import dev.berth.workflows.webhook.WebhookOwner;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class WebhookSecretRotationTest {
    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private static final String BODY = "{}";

    private final WebhookStore store = new WebhookStore(postgres.client());

    private HttpWebhookDelivery with(Path keys) {
        return new HttpWebhookDelivery(store, envelope(keys), false, InstantSource.system());
    }

    private static CredentialEnvelope envelope(Path keys) {
        return new CredentialEnvelope(new FileWrappingKey(keys));
    }

    private void put(UserId userId, Path keys, String secret) {
        WebhookOwner owner = WebhookOwner.of(userId);
        Webhook webhook = new Webhook(owner, "fills", URI.create("https://example.com/"), List.of("order.final"));
        store.put(webhook, with(keys).encrypted(owner, "fills", secret));
    }

    private String signed(UserId userId, Path keys) {
        WebhookOwner owner = WebhookOwner.of(userId);
        return with(keys)
                .secret(owner, "fills", store.ciphertext(owner, "fills").orElseThrow())
                .sign("msg_1", 0, BODY);
    }

    @Tag("D12")
    @DisplayName("A new wrapping key takes over webhooks' secrets, and one that no key opens holds up no other")
    @Test
    void secretsComeUnderNewKey(@TempDir Path folder) throws Exception {
        Path before = KeyFiles.make(folder.resolve("before")).file();
        Path after = KeyFiles.make(folder.resolve("after")).file();
        Path swapped = KeyFiles.make(folder.resolve("swapped")).file();
        Files.write(swapped, Files.readAllBytes(after));
        Files.write(swapped, Files.readAllBytes(before), StandardOpenOption.APPEND);
        String secret = WebhookSecret.random();
        put(ALICE, KeyFiles.make(folder.resolve("lost")).file(), secret);
        put(BOB, before, secret);
        String lost = store.ciphertext(WebhookOwner.of(ALICE), "fills").orElseThrow();
        envelope(swapped).renewAll(store.ciphertexts());
        assertThat(signed(BOB, after)).isEqualTo(new WebhookSecret(secret).sign("msg_1", 0, BODY));
        assertThatThrownBy(() -> signed(BOB, before)).isInstanceOf(CredentialEnvelope.Unreadable.class);
        assertThat(store.ciphertext(WebhookOwner.of(ALICE), "fills")).hasValue(lost);
    }
}
