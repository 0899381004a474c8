package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.gateway.CertificateAuthority;
import dev.berth.gateway.CertificateAuthority.KeyWithCertificate;
import dev.berth.host.broker.fix.FixConnector;
import dev.berth.host.broker.fix.FixSettings;
import dev.berth.workflows.broker.ServedBrokers;
import dev.berth.workflows.order.OrderStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A counterparty behind TLS, whose certificate an authority of its own has signed. */
@Tag("Y4")
@Tag("Y5")
class FixTlsTest {
    private static final CertificateAuthority AUTHORITY = authority();

    @TempDir
    private Path folder;

    private final FakeExchange exchange = new FakeExchange();
    private @Nullable FixBroker broker;

    private static CertificateAuthority authority() {
        return CertificateAuthority.open(CertificateAuthority.create(InstantSource.system()), InstantSource.system());
    }

    @AfterEach
    void stop() {
        broker().close();
    }

    private FixBroker broker() {
        return Objects.requireNonNull(broker);
    }

    /** @param client whose certificate the counterparty wants; empty when it wants none */
    private void start(Optional<KeyWithCertificate> client) throws Exception {
        Map<String, String> acceptor = new HashMap<>(Map.of(
                "SocketUseSSL",
                "Y",
                "SocketKeyStore",
                TestKeyStores.write(
                        folder.resolve("server.p12"),
                        AUTHORITY.newServer(List.of("localhost")),
                        AUTHORITY.certificate()),
                "SocketKeyStorePassword",
                TestKeyStores.PASSWORD));
        if (client.isPresent()) {
            acceptor.put("NeedClientAuth", "Y");
            acceptor.put("SocketTrustStore", TestKeyStores.trust(folder.resolve("trust.p12"), client.get()));
            acceptor.put("SocketTrustStorePassword", TestKeyStores.PASSWORD);
        }
        broker = new FixBroker(exchange, true, acceptor);
    }

    /** As the API takes them, of an account at a deployment that names no counterparty. */
    private BrokerSession open(String host, Map<String, Object> fields) throws IOException, InterruptedException {
        Map<String, Object> given = new HashMap<>(fields);
        given.putAll(Map.of("keyId", FixBroker.CLIENT, "secret", "open-sesame", "host", host, "port", broker().port()));
        given.put("targetCompId", FixBroker.BROKER);
        BrokerCredentials credentials = new BrokerCredentials(ServedBrokers.find(ServedBrokers.FIX)
                .orElseThrow()
                .credentials()
                .read(given));
        FixSettings settings = FixSettings.from(Map.of(
                "BERTH_FIX_PAPER_ALLOWED", "localhost:%s, 127.0.0.1:%s".formatted(broker().port(), broker().port())));
        InMemoryFixJournal journal = new InMemoryFixJournal();
        return new FixConnector(settings, _ -> journal.of(7), 7, Duration.ofSeconds(3))
                .open(ACCOUNT, credentials, (_, _) -> {});
    }

    private void assertTrades(Map<String, Object> fields) throws Exception {
        try (BrokerSession session = open("localhost", fields)) {
            assertThat(session.prepare(belowMarket("o-1"))
                            .send(Duration.ofSeconds(5), Optional::empty)
                            .status())
                    .isEqualTo(OrderStatus.NEW);
        }
        assertThat(exchange.accepted()).containsExactly("o-1");
    }

    private void assertRefused(String host, Map<String, Object> fields, String why) {
        assertThatThrownBy(() -> open(host, fields))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the session is not logged on")
                .hasMessageContaining(why)
                .hasMessageNotContaining("open-sesame");
        assertThat(broker().logons()).isZero();
    }

    @Test
    @DisplayName("An account that names the counterparty's authority logs on, and trades")
    void namedAuthorityIsTrusted() throws Exception {
        start(Optional.empty());
        assertTrades(Map.of("tlsAuthority", AUTHORITY.certificate()));
    }

    @Test
    @DisplayName("No password goes to a counterparty of another authority, named or public")
    void otherAuthorityIsRefused() throws Exception {
        start(Optional.empty());
        assertRefused("localhost", Map.of("tlsAuthority", authority().certificate()), "PKIX path");
        assertRefused("localhost", Map.of(), "PKIX path");
    }

    @Test
    @DisplayName("No password goes to a counterparty whose certificate names another host")
    void otherHostIsRefused() throws Exception {
        start(Optional.empty());
        assertRefused("127.0.0.1", Map.of("tlsAuthority", AUTHORITY.certificate()), "127.0.0.1");
    }

    @Test
    @DisplayName("A counterparty that wants a certificate of the account accepts it, and none without")
    void accountHasItsCertificate() throws Exception {
        KeyWithCertificate own = TestKeyStores.newClient(folder.resolve("client.p12"));
        start(Optional.of(own));
        String authority = AUTHORITY.certificate();
        assertRefused("localhost", Map.of("tlsAuthority", authority), "certificate");
        assertTrades(Map.of("tlsAuthority", authority, "tlsCertificate", own.certificate(), "tlsKey", own.key()));
    }

    @Test
    @DisplayName("A key that is not that of its certificate is refused before it is stored")
    void otherKeyIsRefused() throws Exception {
        start(Optional.empty());
        KeyWithCertificate one = AUTHORITY.newServer(List.of("one"));
        KeyWithCertificate other = AUTHORITY.newServer(List.of("other"));
        assertThatThrownBy(() -> open("localhost", Map.of("tlsCertificate", one.certificate(), "tlsKey", other.key())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tlsKey is not the key of the first certificate in tlsCertificate.");
    }
}
