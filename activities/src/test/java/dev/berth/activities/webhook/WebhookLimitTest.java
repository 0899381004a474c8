package dev.berth.activities.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.webhook.WebhookOwner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An attempt ends at its limit, whatever receiver and name server do. */
class WebhookLimitTest {
    private static final Duration LIMIT = Duration.ofMillis(700);
    /** Less than a limit for the single read, so that such a limit would never pass. */
    private static final Duration DRIP = Duration.ofMillis(100);

    private static final WebhookOwner ALICE = new WebhookOwner("alice");
    private static final WebhookOwner BOB = new WebhookOwner("bob");

    private final WebhookSender sender = new WebhookSender(true, LIMIT, new NameLookups(InetAddress::getAllByName));
    private final CountDownLatch answered = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final NameLookups silent = new NameLookups(host -> {
        if (!host.startsWith("silent")) {
            return InetAddress.getAllByName(host);
        }
        asked.incrementAndGet();
        try {
            answered.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        return InetAddress.getAllByName("127.0.0.1");
    });

    @AfterEach
    void answer() {
        answered.countDown();
    }

    private static void assertEndsAtLimit(WebhookSender sender, URI url) {
        long begin = System.nanoTime();
        assertThatThrownBy(() -> sender.post(ALICE, url, Map.of(), "{}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in time");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(LIMIT.minusMillis(50), LIMIT.multipliedBy(4));
    }

    @Tag("X32")
    @Tag("D12")
    @DisplayName("A receiver that says nothing, or a byte now and then, is cut off at the limit: in the TLS handshake,"
            + " and in the status line")
    @ParameterizedTest
    @ValueSource(strings = {"https:", "http:", "https:\u0016\u0003\u0003?\u0000", "http:HTTP/1.1 2"})
    void slowReceiverIsCutOff(String receiver) throws IOException {
        String[] schemeAndBegin = receiver.split(":", 2);
        try (DrippingReceiver dripping = DrippingReceiver.start(schemeAndBegin[1], DRIP)) {
            assertEndsAtLimit(sender, URI.create(schemeAndBegin[0] + "://127.0.0.1:" + dripping.port() + "/"));
            await().untilAsserted(() -> assertThat(dripping.isHungUp()).isTrue());
        }
    }

    @Tag("X32")
    @DisplayName("Neither headers nor body hold an attempt up: the status is the answer")
    @Test
    void bodyIsNotAwaited() throws IOException {
        try (DrippingReceiver dripping = DrippingReceiver.start("HTTP/1.1 204 No Content\r\nA: ", DRIP)) {
            URI url = URI.create("http://127.0.0.1:" + dripping.port() + "/");
            assertThat(sender.post(ALICE, url, Map.of(), "{}")).isEqualTo(204);
        }
    }

    @Tag("X32")
    @DisplayName("A name server that says nothing is cut off at the limit, and what it leaves behind is bounded for"
            + " each owner and for all users; operators still resolve names")
    @Test
    void silentNameServerIsCutOff() throws IOException {
        WebhookSender resolving = new WebhookSender(true, LIMIT, silent);
        assertEndsAtLimit(resolving, URI.create("https://silent.example/"));
        for (int user = 0; user < 20; user++) {
            for (int call = 0; call < 20; call++) {
                ask(new WebhookOwner("user-" + user));
            }
        }
        // The one of alice is among them.
        await().untilAsserted(() -> assertThat(asked).hasValue(NameLookups.MAX_OF_USERS));
        assertThatThrownBy(() -> silent.addresses(BOB, "localhost", LIMIT)).hasMessageContaining("too many");
        assertThat(silent.addresses(WebhookOwner.FLEET, "localhost", LIMIT)).isNotEmpty();
        answered.countDown();
        await().untilAsserted(() ->
                assertThat(silent.addresses(BOB, "localhost", LIMIT)).isNotEmpty());
    }

    @Tag("X32")
    @DisplayName("A user whose names are not answered leaves other users theirs")
    @Test
    void ownersAreApart() throws IOException {
        for (int call = 0; call < 100; call++) {
            ask(ALICE);
        }
        await().untilAsserted(() -> assertThat(asked).hasValue(NameLookups.MAX_OF_OWNER));
        assertThat(List.of(silent.addresses(BOB, "localhost", LIMIT))).isNotEmpty();
    }

    private void ask(WebhookOwner owner) {
        assertThatThrownBy(() -> silent.addresses(owner, "silent.example", Duration.ofNanos(1)))
                .isInstanceOf(IOException.class);
    }
}
