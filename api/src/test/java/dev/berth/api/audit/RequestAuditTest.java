package dev.berth.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jwt.Jwt;

class RequestAuditTest {
    private static String scopes(Map<String, Object> claims) {
        return RequestAudit.scopes(Jwt.withTokenValue("t")
                .header("alg", "none")
                .subject("olga")
                .claims(all -> all.putAll(claims))
                .build());
    }

    @Test
    @Tag("X29")
    @DisplayName("The audit has the scopes of a token, however an identity provider writes them")
    void scopesOfToken() {
        assertThat(scopes(Map.of("scope", "fleet:read risk:write"))).isEqualTo("fleet:read risk:write");
        assertThat(scopes(Map.of("scp", List.of("fleet:read", "risk:write")))).isEqualTo("fleet:read risk:write");
        assertThat(scopes(Map.of())).isEmpty();
    }
}
