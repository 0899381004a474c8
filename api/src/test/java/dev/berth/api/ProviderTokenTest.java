package dev.berth.api;

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
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;

/** Tokens of an OpenID Connect provider. */
@Tag("X23")
class ProviderTokenTest {
    private static final String ISSUER = "https://login.example";

    private HttpServer provider;
    private volatile JWKSet published;
    private RSAKey key;
    private JwtDecoder tokens;

    @BeforeEach
    void startProvider() throws Exception {
        key = new RSAKeyGenerator(2048).keyID("first").generate();
        published = new JWKSet(key);
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        provider.createContext("/keys", call -> {
            byte[] keys = published.toPublicJWKSet().toString().getBytes(StandardCharsets.UTF_8);
            call.getResponseHeaders().add("Content-Type", "application/json");
            call.sendResponseHeaders(200, keys.length);
            call.getResponseBody().write(keys);
            call.close();
        });
        provider.start();
        URI keys = URI.create("http://127.0.0.1:" + provider.getAddress().getPort() + "/keys");
        tokens = Security.tokens(new BerthSettings.Auth(null, ISSUER, keys, "berth"));
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

    private void assertRefused(String token) {
        assertThatThrownBy(() -> tokens.decode(token)).isInstanceOf(JwtException.class);
    }
}
