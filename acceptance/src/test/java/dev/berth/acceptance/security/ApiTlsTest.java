package dev.berth.acceptance.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An API as it runs outside the local stack: by TLS, with metrics at another port. */
@Tag("long")
@ExtendWith(StackExtension.class)
class ApiTlsTest {
    private static final String PASSWORD = "password";

    private final Stack stack;

    @TempDir
    Path folder;

    ApiTlsTest(Stack stack) {
        this.stack = stack;
    }

    @Test
    @DisplayName("The API takes orders by https alone; metrics and description are at the management port alone")
    void servesByTls() throws Exception {
        Path store = newKeyStore();
        int management = ApiReplica.freePort();
        try (ApiReplica replica = ApiReplica.start(
                stack,
                Map.of(
                        "SERVER_SSL_KEY_STORE",
                        store.toUri().toString(),
                        "SERVER_SSL_KEY_STORE_PASSWORD",
                        PASSWORD,
                        "MANAGEMENT_SERVER_PORT",
                        Integer.toString(management),
                        "MANAGEMENT_SERVER_SSL_ENABLED",
                        "false",
                        "SPRINGDOC_USE_MANAGEMENT_PORT",
                        "true"))) {
            URI plain = replica.api().base();
            URI https = URI.create(plain.toString().replace("http:", "https:"));
            Trader trader = Eventually.trading(stack, "by-tls");
            HttpClient trusting =
                    HttpClient.newBuilder().sslContext(trusting(store)).build();
            HttpRequest.Builder order = HttpRequest.newBuilder(https.resolve("/v1/orders"))
                    .header("Authorization", trader.bearer())
                    .header("Content-Type", "application/json")
                    .header("Prefer", "wait=20")
                    .POST(BodyPublishers.ofString(
                            OrderBody.market("by-tls", "AAPL", "buy", "1").json()));
            HttpResponse<String> answer = trusting.send(order.build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            assertThat(answer.body()).contains("FILLED");
            try (HttpClient untrusting = HttpClient.newHttpClient()) {
                assertThatThrownBy(() -> untrusting.send(order.build(), BodyHandlers.ofString()))
                        .isInstanceOf(SSLHandshakeException.class);
            }
            assertThat(replica.api().call("GET", "/v1/orders", null).status()).isEqualTo(400);
            RestClient operations = new RestClient(URI.create("http://127.0.0.1:" + management));
            for (String page :
                    List.of("/actuator/prometheus", "/actuator/openapi", "/actuator/swagger-ui/index.html")) {
                assertThat(operations.call("GET", page, null).status()).as(page).isEqualTo(200);
            }
            for (String page :
                    List.of("/actuator/prometheus", "/actuator/health", "/v3/api-docs", "/swagger-ui.html")) {
                assertThat(status(trusting, https.resolve(page))).as(page).isEqualTo(404);
            }
        }
    }

    private static int status(HttpClient client, URI page) throws Exception {
        return client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString())
                .statusCode();
    }

    private Path newKeyStore() throws Exception {
        Path store = folder.resolve("api.p12");
        FinishedCommand keytool = FinishedCommand.run(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "api",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=api",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true));
        assertThat(keytool.status()).as(keytool.out()).isZero();
        return store;
    }

    private static SSLContext trusting(Path store) throws Exception {
        KeyStore own = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(store)) {
            own.load(content, PASSWORD.toCharArray());
        }
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, PASSWORD.toCharArray());
        trusted.setCertificateEntry("api", own.getCertificate("api"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
