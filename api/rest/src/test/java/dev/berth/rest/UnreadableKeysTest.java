package dev.berth.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The API's door while the provider's keys cannot be read, and to a token that is too large. */
@Tag("X23")
class UnreadableKeysTest {
    private static String claims(String groups) {
        return """
                {"iss": "https://login.example", "aud": "berth", "sub": "alice", "scope": "codec:read", "groups": "%s"}""".formatted(groups);
    }

    @Test
    @DisplayName("Before the provider's keys were read once, a token is neither right nor wrong: 503")
    void unreadKeysAreUnavailable() throws Exception {
        TestProvider provider = new TestProvider();
        provider.close();
        try (ApiDoor api = new ApiDoor(provider, "https://login.example", Map.of())) {
            HttpResponse<String> answer = api.get("/v1/me", claims(""));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.body()).contains("unavailable", "identity provider");
            assertThat(api.signIn(claims(""))).isEqualTo(503);
            assertThat(api.getWithoutToken("/v1/me").statusCode()).isEqualTo(401);
        }
    }

    @Test
    @DisplayName("The codec's sign-in refuses a token that no browser keeps in a cookie")
    void tokenTooLargeForCookie() throws Exception {
        try (TestProvider provider = new TestProvider();
                ApiDoor api = new ApiDoor(provider, "https://login.example", Map.of())) {
            assertThat(api.signIn(claims("g".repeat(1000)))).isEqualTo(200);
            assertThat(api.signIn(claims("g".repeat(3000)))).isEqualTo(400);
        }
    }
}
