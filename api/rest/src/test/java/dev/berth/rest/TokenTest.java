package dev.berth.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.LocalToken;
import dev.berth.process.settings.BerthSettingsTest;
import dev.berth.rest.identity.Subject;
import dev.berth.workflows.UserId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;

class TokenTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path folder;

    private Path key;
    private JwtDecoder tokens;

    @BeforeEach
    void makeKey() throws Exception {
        key = folder.resolve("token.key");
        LocalToken.makeKey(key);
        tokens = new Security().tokens(BerthSettingsTest.start("--berth.auth.key-file=" + key));
    }

    @Test
    void localTokenNamesItsUser() throws Exception {
        Jwt token = tokens.decode(LocalToken.sign(key, "alice", "fleet", HOUR));
        assertThat(CallerId.of(token)).isEqualTo(new UserId("alice"));
        assertThat(token.getClaimAsString("scope")).isEqualTo("fleet");
    }

    @Test
    void expiredTokenIsRefused() throws Exception {
        String expired = LocalToken.sign(key, "alice", "", HOUR.negated());
        assertThatThrownBy(() -> tokens.decode(expired)).isInstanceOf(JwtException.class);
    }

    @Test
    void tokenOfAnotherKeyIsRefused() throws Exception {
        Path other = folder.resolve("other.key");
        LocalToken.makeKey(other);
        String forged = LocalToken.sign(other, "alice", "", HOUR);
        assertThatThrownBy(() -> tokens.decode(forged)).isInstanceOf(JwtException.class);
    }

    @Test
    void unsignedTokenIsRefused() throws Exception {
        String claims = LocalToken.sign(key, "alice", "", HOUR).split("\\.", 3)[1];
        String header = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> tokens.decode(header + "." + claims + ".")).isInstanceOf(JwtException.class);
    }

    @ParameterizedTest
    @Tag("X32")
    @DisplayName("No token is of a user whom Berth itself uses")
    @ValueSource(strings = {"fleet", "warm-up-0123456789abcdef0123456789abcdef", "warm-up-"})
    void reservedSubjectIsRefused(String subject) throws Exception {
        Jwt token = tokens.decode(LocalToken.sign(key, subject, "", HOUR));
        assertThatThrownBy(() -> CallerId.of(token)).isInstanceOf(Problem.Refusal.class);
    }

    @Test
    @Tag("T8")
    @DisplayName("A local token may be of any subject, and the subject stays readable")
    void localTokenOfAnySubject() throws Exception {
        String subject = "auth0|\"Jane\\\\ Doe\"\n名";
        Jwt token = tokens.decode(LocalToken.sign(key, subject, "orders:read", HOUR));
        assertThat(token.getSubject()).isEqualTo(subject);
        assertThat(CallerId.of(token))
                .isEqualTo(new Subject("berth-local", subject).userId().orElseThrow());
    }

    @Test
    @Tag("X23")
    @DisplayName("A token without exp is refused, and the error names exp")
    void tokenWithoutExpiryIsRefused() throws Exception {
        String[] parts = LocalToken.sign(key, "alice", "", HOUR).split("\\.", 3);
        String unlimited = signed(parts[0], "{\"iss\":\"berth-local\",\"aud\":\"berth\",\"sub\":\"alice\"}");
        assertThatThrownBy(() -> tokens.decode(unlimited))
                .isInstanceOf(JwtException.class)
                .hasMessageContaining("has no exp");
    }

    @ParameterizedTest
    @ValueSource(strings = {"iss", "aud"})
    @Tag("X23")
    @DisplayName("A token of another issuer or for another audience is refused")
    void claimOfAnotherIsRefused(String name) throws Exception {
        String[] parts = LocalToken.sign(key, "alice", "", HOUR).split("\\.", 3);
        String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        assertThat(tokens.decode(signed(parts[0], claims)).getSubject()).isEqualTo("alice");
        for (String replacement : List.of("", "\"" + name + "\":\"another\",")) {
            String changed = signed(parts[0], claims.replaceFirst("\"" + name + "\":\"[^\"]*\",", replacement));
            assertThatThrownBy(() -> tokens.decode(changed))
                    .isInstanceOf(JwtException.class)
                    .hasMessageContaining(name);
        }
    }

    private String signed(String header, String claims) throws Exception {
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        String content = header + "." + base64.encodeToString(claims.getBytes(StandardCharsets.UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Files.readAllBytes(key), "HmacSHA256"));
        return content + "." + base64.encodeToString(mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
    }

    @ParameterizedTest
    @Tag("X23")
    @DisplayName("A key file with open permissions fails the start, with a remedy")
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----"})
    void keyFileOpenToOthersIsRefused(String permissions) throws Exception {
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(permissions));
        assertThatThrownBy(() -> new Security().tokens(BerthSettingsTest.start("--berth.auth.key-file=" + key)))
                .hasMessageContaining("berth.auth.key-file")
                .hasMessageContaining("chmod 600 " + key);
    }
}
