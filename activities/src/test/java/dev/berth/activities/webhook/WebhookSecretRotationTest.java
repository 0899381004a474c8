package dev.berth.activities.webhook;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.broker.CredentialEnvelope;
import dev.berth.activities.broker.FileWrappingKey;
import dev.berth.activities.broker.KeyFiles;
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
    private static final WebhookOwner OF_ALICE = WebhookOwner.of(ALICE);
    private static final WebhookOwner OF_BOB = WebhookOwner.of(BOB);

    private final WebhookStore store = new WebhookStore(postgres.client());

    private HttpWebhookDelivery with(Path keys) {
        return new HttpWebhookDelivery(store, envelope(keys), false, InstantSource.system());
    }

    private static CredentialEnvelope envelope(Path keys) {
        return new CredentialEnvelope(new FileWrappingKey(keys));
    }

    private void put(WebhookOwner owner, Path keys, String secret) {
        Webhook webhook = new Webhook(owner, "fills", URI.create("https://example.com/"), List.of("order.failed"));
        store.put(webhook, with(keys).encrypted(owner, "fills", secret));
    }

    private String signed(WebhookOwner owner, Path keys) {
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
        put(OF_ALICE, KeyFiles.make(folder.resolve("lost")).file(), secret);
        put(OF_BOB, before, secret);
        put(WebhookOwner.FLEET, before, secret);
        String lost = store.ciphertext(OF_ALICE, "fills").orElseThrow();
        envelope(swapped).renewAll(store.ciphertexts());
        assertThat(signed(OF_BOB, after)).isEqualTo(new WebhookSecret(secret).sign("msg_1", 0, BODY));
        assertThat(signed(WebhookOwner.FLEET, after)).isEqualTo(signed(OF_BOB, after));
        assertThatThrownBy(() -> signed(OF_BOB, before)).isInstanceOf(CredentialEnvelope.Unreadable.class);
        assertThat(store.ciphertext(OF_ALICE, "fills")).hasValue(lost);
    }

    @Tag("D12")
    @DisplayName("The operators' secret is no secret of a user with the name fleet")
    @Test
    void fleetIsNoUser(@TempDir Path folder) throws Exception {
        Path keys = KeyFiles.make(folder.resolve("keys")).file();
        String ciphertext = with(keys).encrypted(WebhookOwner.FLEET, "fills", WebhookSecret.random());
        assertThatThrownBy(() -> with(keys).secret(new WebhookOwner("fleet"), "fills", ciphertext))
                .isInstanceOf(CredentialEnvelope.Unreadable.class);
    }
}
