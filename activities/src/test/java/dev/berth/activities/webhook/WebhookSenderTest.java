package dev.berth.activities.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.berth.workflows.webhook.WebhookOwner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSenderTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final WebhookOwner OWNER = new WebhookOwner("alice");
    private static final NameLookups NAMES = new NameLookups(InetAddress::getAllByName);

    private final WebhookSender careful = new WebhookSender(false, LIMIT, NAMES);
    private final WebhookSender local = new WebhookSender(true, LIMIT, NAMES);

    @Tag("D12")
    @DisplayName("The signature is HMAC-SHA256 over id, time and body, as Standard Webhooks has it")
    @Test
    void signatureIsStandard() {
        WebhookSecret secret = new WebhookSecret("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
        assertThat(secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, "{\"test\": 2432232314}"))
                .isEqualTo("v1,O4Gjv1HqPqsMrjmczoggs/sWA8gZD0VyHG+fLh4+ktI=");
        assertThat(secret).hasToString("");
    }

    @Tag("D12")
    @DisplayName("Addresses of private, local and special networks are not public, in any notation")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.8.8.8",
                "0.0.0.0",
                "10.0.0.7",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "192.0.0.1",
                "198.18.0.1",
                "203.0.113.7",
                "224.0.0.1",
                "255.255.255.255",
                "240.0.0.1",
                "::1",
                "::",
                "fe80::1",
                "fc00::1",
                "fd12::1",
                "ff02::1",
                "::ffff:10.0.0.1",
                "64:ff9b::a00:1",
                "2002:a00:1::",
                "2001:0:a00:1::",
                "2001:db8::1"
            })
    void privateIsRefused(String address) throws IOException {
        assertThat(PublicAddresses.isPublic(InetAddress.getByName(address))).isFalse();
        String host = address.contains(":") ? "[" + address + "]" : address;
        assertThatThrownBy(() -> careful.post(OWNER, URI.create("https://" + host + "/"), Map.of(), "{}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not public");
    }

    @Tag("D12")
    @DisplayName("Addresses of the internet are public")
    @ParameterizedTest
    @ValueSource(strings = {"1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111"})
    void publicIsAllowed(String address) throws IOException {
        assertThat(PublicAddresses.isPublic(InetAddress.getByName(address))).isTrue();
    }

    @Tag("D12")
    @DisplayName("A name that leads to this machine is refused when it is connected, and plain http always")
    @Test
    void nameIsCheckedAtConnection() {
        assertThatThrownBy(() -> careful.post(OWNER, URI.create("https://localhost/"), Map.of(), "{}"))
                .hasMessageContaining("not public");
        assertThatThrownBy(() -> careful.post(OWNER, URI.create("http://1.1.1.1/"), Map.of(), "{}"))
                .hasMessageContaining("only https");
    }

    @Tag("D12")
    @DisplayName("Where private addresses are allowed, body and headers arrive, and a redirect is not followed")
    @Test
    void bodyArrives() throws IOException {
        AtomicReference<String> got = new AtomicReference<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            got.set(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("webhook-id") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        server.start();
        try {
            URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook?a=b");
            assertThat(local.post(OWNER, url, Map.of("webhook-id", "msg_1"), "{\"a\":\"ä\"}"))
                    .isEqualTo(302);
            assertThat(got.get()).isEqualTo("/hook?a=b msg_1 {\"a\":\"ä\"}");
        } finally {
            server.stop(0);
        }
    }
}
