package dev.berth.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.process.settings.AuthOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;

/** Tokens of an OpenID Connect provider. */
@Tag("X23")
class ProviderTokenTest {
    private static final String ISSUER = "https://login.example";

    private HttpServer provider;
    private final AtomicInteger requests = new AtomicInteger();
    private volatile JWKSet published;
    private volatile boolean unavailable;
    private volatile Instant now = Instant.now();
    private String address;
    private RSAKey key;
    private JwtDecoder tokens;

    @BeforeEach
    void startProvider() throws Exception {
        key = new RSAKeyGenerator(2048).keyID("first").generate();
        published = new JWKSet(key);
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        address = "http://127.0.0.1:" + provider.getAddress().getPort();
        provider.createContext(
                "/keys", call -> answer(call, published.toPublicJWKSet().toString()));
        provider.createContext(
                "/realm/.well-known/openid-configuration", call -> answer(call, """
                        {"issuer": "%s/realm", "jwks_uri": "%s/keys"}""".formatted(address, address)));
        provider.start();
        // The first answer of the JVM may take longer than the decoder waits.
        try (InputStream first = keys().toURL().openStream()) {
            first.readAllBytes();
        }
        requests.set(0);
        tokens = Security.tokens(options(ISSUER));
    }

    private AuthOptions options(String issuer) {
        return new AuthOptions(null, issuer, keys(), Set.of("berth"), "aud", "sub", List.of("scope"), "");
    }

    private URI keys() {
        return URI.create(address + "/keys");
    }

    private void answer(HttpExchange call, String json) throws IOException {
        requests.incrementAndGet();
        byte[] content = json.getBytes(StandardCharsets.UTF_8);
        call.getResponseHeaders().add("Content-Type", "application/json");
        call.sendResponseHeaders(unavailable ? 503 : 200, content.length);
        call.getResponseBody().write(content);
        call.close();
    }

    private JwtDecoder tokens(ProviderKeys.Times times) {
        return Security.tokens(options(ISSUER), new ProviderKeys(ISSUER, keys(), times, () -> now));
    }

    @AfterEach
    void stopProvider() {
        provider.stop(0);
    }

    private static JWTClaimsSet claims() {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience("berth")
                .subject("alice")
                .claim("scope", "orders:read")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .build();
    }

    private static String signed(RSAKey key, JWTClaimsSet claims) throws JOSEException {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(), claims);
        token.sign(new RSASSASigner(key));
        return token.serialize();
    }

    @Test
    @DisplayName("A token of the identity provider is accepted, and after a change of its key too")
    void keyOfProviderChanges() throws Exception {
        assertThat(tokens.decode(signed(key, claims())).getSubject()).isEqualTo("alice");
        RSAKey next = new RSAKeyGenerator(2048).keyID("second").generate();
        published = new JWKSet(next);
        assertThat(tokens.decode(signed(next, claims())).getSubject()).isEqualTo("alice");
    }

    @Test
    @DisplayName("A token of an unknown key, of another issuer or for another audience is refused")
    void foreignTokenIsRefused() throws Exception {
        RSAKey foreign = new RSAKeyGenerator(2048).keyID("first").generate();
        assertRefused(signed(foreign, claims()));
        assertRefused(signed(
                key,
                new JWTClaimsSet.Builder(claims())
                        .issuer("https://other.example")
                        .build()));
        assertRefused(
                signed(key, new JWTClaimsSet.Builder(claims()).audience("other").build()));
        assertRefused(signed(
                key, new JWTClaimsSet.Builder(claims()).expirationTime(null).build()));
    }

    /** Every client knows the public key, and could sign with it as a shared one. */
    @Test
    @DisplayName("A token signed with the provider's public key as a shared secret is refused")
    void publicKeyIsNoSecret() throws Exception {
        SignedJWT confused = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("first").build(), claims());
        confused.sign(new MACSigner(key.toRSAPublicKey().getEncoded()));
        assertRefused(confused.serialize());
    }

    @Tag("X32")
    @DisplayName("Tokens of invented keys cause few requests, and an honest one is accepted among them")
    @Test
    void inventedKeysCauseFewRequests() throws Exception {
        String honest = signed(key, claims());
        tokens.decode(honest);
        RSAKey foreign = new RSAKeyGenerator(2048).generate();
        for (int number = 0; number < 50; number++) {
            assertBad(signed(
                    new RSAKey.Builder(foreign).keyID("invented-" + number).build(), claims()));
        }
        assertThat(requests.get()).isLessThanOrEqualTo(3);
        assertThat(tokens.decode(honest).getSubject()).isEqualTo("alice");
    }

    @Tag("X32")
    @DisplayName("While the provider is unavailable its tokens are accepted for 12 hours, also among invented ones")
    @Test
    void tokensOutliveOutage() throws Exception {
        // The library counts by its own clock, so its keys are old at once.
        ProviderKeys.Times shortest = new ProviderKeys.Times(
                Duration.ofMillis(5),
                Duration.ofMillis(1),
                Duration.ofMillis(1),
                Duration.ofMillis(1),
                Duration.ofHours(12));
        tokens = tokens(shortest);
        String honest = signed(key, claims());
        tokens.decode(honest);
        unavailable = true;
        now = now.plus(Duration.ofHours(11));
        String invented = signed(new RSAKeyGenerator(2048).keyID("invented").generate(), claims());
        for (int number = 0; number < 20; number++) {
            assertBad(invented);
            assertThat(tokens.decode(honest).getSubject()).isEqualTo("alice");
        }
        assertThat(requests.get()).as("asked again").isGreaterThan(1);
    }

    @DisplayName("Without an address of the keys the issuer's OpenID configuration names it")
    @Test
    void issuerNamesItsKeys() throws Exception {
        String issuer = address + "/realm";
        tokens =
                Security.tokens(options(issuer), new ProviderKeys(issuer, null, ProviderKeys.Times.DEFAULT, () -> now));
        assertThat(requests.get()).as("at the start").isZero();
        JWTClaimsSet claims = new JWTClaimsSet.Builder(claims()).issuer(issuer).build();
        assertThat(tokens.decode(signed(key, claims)).getSubject()).isEqualTo("alice");
        assertRefused(signed(key, claims()));
    }

    /** Answered with 401, not as a failure of the server. */
    private void assertBad(String token) {
        assertThatThrownBy(() -> tokens.decode(token)).isInstanceOf(BadJwtException.class);
    }

    private void assertRefused(String token) {
        assertThatThrownBy(() -> tokens.decode(token)).isInstanceOf(JwtException.class);
    }
}
