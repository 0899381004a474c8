package dev.berth.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Which subjects the API's door lets in, and which user each of them is. */
@Tag("T8")
class SubjectClaimTest {
    private static final JsonMapper JSON = new JsonMapper();

    private static TestProvider provider;
    private ApiDoor api;

    @BeforeAll
    static void startProvider() throws Exception {
        provider = new TestProvider();
    }

    @AfterAll
    static void stopProvider() {
        provider.close();
    }

    @AfterEach
    void stop() {
        api.close();
    }

    @BeforeEach
    void start() {
        api = door(Map.of());
    }

    private static ApiDoor door(Map<String, String> variables) {
        return new ApiDoor(provider, "https://login.example", variables);
    }

    private static String claims(String subject) {
        return """
                {"iss": "https://login.example", "aud": "berth", "sub": %s, "scope": "orders:read"}""".formatted(subject);
    }

    @ParameterizedTest
    @DisplayName("A token without a subject of text is refused, and the sentence names claim and setting")
    @ValueSource(strings = {"\"\"", "\" \\t\"", "null", "[\"alice\"]", "{\"a\":1}", "true", "7", "\"\\ud83d\""})
    void subjectMustBeText(String subject) throws Exception {
        api.close();
        api = door(Map.of("BERTH_AUTH_USER_CLAIM", "who.am.i"));
        String claims = claims("\"alice\"").replace("\"aud\"", "\"who.am.i\": " + subject + ", \"aud\"");
        HttpResponse<String> refused = api.get("/v1/me", claims);
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.body()).contains("no who.am.i", "berth.auth.user-claim");
    }

    @Test
    @DisplayName("A subject is at most 255 characters long; an object is none, and a number is its digits")
    void subjectIsBounded() throws Exception {
        assertThat(api.get("/v1/orders", claims("\"alice\"")).body()).isEqualTo("\"alice\"");
        assertThat(api.get("/v1/orders", claims("\"" + "A".repeat(255) + "\"")).statusCode())
                .isEqualTo(200);
        assertThat(api.get("/v1/orders", claims("\"" + "A".repeat(256) + "\"")).statusCode())
                .isEqualTo(401);
        assertThat(api.get("/v1/orders", claims("{}")).statusCode()).isEqualTo(401);
        // The library reads it so. In any other claim a number is refused.
        assertThat(api.get("/v1/orders", claims("7")).body()).isEqualTo("\"7\"");
        // It would be the same text as its successor.
        assertThat(api.get("/v1/orders", claims("12345678901234567890")).statusCode())
                .isEqualTo(401);
    }

    @Test
    @Tag("X32")
    @DisplayName("A subject that Berth itself uses has no user id, and no call of a user")
    void reservedSubjectHasNoUser() throws Exception {
        HttpResponse<String> me = api.get("/v1/me", claims("\"fleet\""));
        assertThat(me.statusCode()).isEqualTo(200);
        assertThat(JSON.readTree(me.body()).path("userId").isString()).isFalse();
        assertThat(JSON.readTree(me.body()).path("subject").asString()).isEqualTo("fleet");
        HttpResponse<String> orders = api.get("/v1/orders", claims("\"fleet\""));
        assertThat(orders.statusCode()).isEqualTo(403);
        assertThat(orders.body()).contains("reserved");
    }

    @ParameterizedTest
    @DisplayName("Operators find the user id of a subject; it is the one that the subject's token has")
    @CsvSource({
        "auth0|507f1f77bcf86cd799439011, 200",
        "jane.doe@example.com, 200",
        "'CN=Jane Doe,OU=Desk,DC=example', 200",
        "alice, 200",
        "fleet, 404",
        "' ', 400"
    })
    void operatorFindsUser(String subject, int status) throws Exception {
        String path = "/v1/fleet/users?subject=" + URLEncoder.encode(subject, StandardCharsets.UTF_8);
        assertThat(api.get(path, claims("\"alice\"")).statusCode()).isEqualTo(403);
        HttpResponse<String> found = api.get(path, claims("\"olga\"").replace("orders:read", "fleet:read"));
        assertThat(found.statusCode()).as(found.body()).isEqualTo(status);
        if (status == 200) {
            String userId = JSON.readTree(found.body()).path("userId").asString();
            assertThat(JSON.readTree(found.body()).path("subject").asString()).isEqualTo(subject);
            assertThat(api.get("/v1/orders", claims(JSON.writeValueAsString(subject)))
                            .body())
                    .isEqualTo("\"" + userId + "\"");
        }
    }

    @Test
    @DisplayName("The calls about identity need a token")
    void callNeedsToken() throws Exception {
        for (String path : List.of("/v1/me", "/v1/%6de", "/v1/fleet/users?subject=a")) {
            assertThat(api.getWithoutToken(path).statusCode()).isEqualTo(401);
        }
    }
}
