package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.local.LocalToken;
import dev.berth.workflows.UserId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    void theLocalStacksTokenNamesItsUser() throws Exception {
        Jwt token = tokens.decode(LocalToken.sign(key, "alice", "fleet", HOUR));
        assertThat(CallerId.of(token)).isEqualTo(new UserId("alice"));
        assertThat(token.getClaimAsString("scope")).isEqualTo("fleet");
    }

    @Test
    void anExpiredTokenIsRefused() throws Exception {
        String expired = LocalToken.sign(key, "alice", "", HOUR.negated());
        assertThatThrownBy(() -> tokens.decode(expired)).isInstanceOf(JwtException.class);
    }

    @Test
    void aTokenOfAnotherKeyIsRefused() throws Exception {
        Path other = folder.resolve("other.key");
        LocalToken.makeKey(other);
        String forged = LocalToken.sign(other, "alice", "", HOUR);
        assertThatThrownBy(() -> tokens.decode(forged)).isInstanceOf(JwtException.class);
    }

    @Test
    void aTokenWithoutASignatureIsRefused() throws Exception {
        String claims = LocalToken.sign(key, "alice", "", HOUR).split("\\.", 3)[1];
        String header = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> tokens.decode(header + "." + claims + ".")).isInstanceOf(JwtException.class);
    }

    @Test
    void aSubjectThatIsNoUserIdIsRefused() throws Exception {
        Jwt token = tokens.decode(LocalToken.sign(key, "-1", "", HOUR));
        assertThatThrownBy(() -> CallerId.of(token)).isInstanceOf(Problem.Refusal.class);
    }
}
