package dev.berth.acceptance.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.WorkflowEvent;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The codec as Temporal's Web UI and command line call it. */
@ExtendWith(StackExtension.class)
@Tag("X13")
class CodecEndpointTest {
    private static final String PLAIN = payloads("json/plain", "\"canary-4711\"");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Stack stack;
    private final URI api;
    private final String webUi;

    CodecEndpointTest(Stack stack) {
        this.stack = stack;
        this.api = URI.create("http://127.0.0.1:" + stack.port("API", 8080));
        this.webUi = "http://127.0.0.1:" + stack.port("UI", 8233);
    }

    private static String payloads(String encoding, String data) {
        return "{\"payloads\":[{\"metadata\":{\"encoding\":\"%s\"},\"data\":\"%s\"}]}"
                .formatted(base64(encoding), base64(data));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private String token(String scope) throws Exception {
        return "Bearer " + new Tokens(stack).sign("codec-reader", scope);
    }

    private HttpRequest.Builder post(String path, String body) {
        return HttpRequest.newBuilder(api.resolve(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private String encoded() throws Exception {
        HttpResponse<String> answer = send(post("/codec/encode", PLAIN).header("Authorization", token("codec:read")));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static WorkflowEvent.Payload payload(String payloads) {
        return JsonRecords.required(
                        JsonRecords.read(payloads, WorkflowEvent.Payloads.class).payloads(), "payloads")
                .getFirst();
    }

    private static void assertDecoded(HttpResponse<String> answer) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(payload(answer.body()).text()).isEqualTo("\"canary-4711\"");
    }

    @Test
    @DisplayName("POST /codec/encode encrypts, and /codec/decode decrypts for the scope codec:read alone")
    void scopeIsNeeded() throws Exception {
        String encoded = encoded();
        assertThat(payload(encoded).metadata("encoding")).isEqualTo("binary/encrypted");
        assertThat(encoded).doesNotContain(base64("\"canary-4711\""));
        assertDecoded(send(post("/codec/decode", encoded).header("Authorization", token("codec:read"))));
        for (String path : new String[] {"/codec/decode", "/codec/encode"}) {
            assertThat(send(post(path, encoded)).statusCode()).isEqualTo(401);
            for (String other : new String[] {"", "fleet"}) {
                HttpResponse<String> refused = send(post(path, encoded).header("Authorization", token(other)));
                assertThat(refused.statusCode()).isEqualTo(403);
                assertThat(refused.body()).contains("codec:read");
            }
        }
    }

    @Test
    @DisplayName("The audit records who decoded payloads, and of whom")
    void decodeIsAudited() throws Exception {
        assertDecoded(send(post("/codec/decode", encoded()).header("Authorization", token("codec:read"))));
        HttpResponse<String> audit =
                send(HttpRequest.newBuilder(api.resolve("/v1/fleet/audit?action=READ_PAYLOADS&actor=codec-reader"))
                        .header("Authorization", token("fleet")));
        assertThat(audit.body()).contains("READ_PAYLOADS", "1 payloads of @fleet");
    }

    @Test
    @DisplayName("A payload that was changed, or is none, is refused without its content")
    void changedPayloadIsRefused() throws Exception {
        String encoded = encoded();
        // In the middle: of the last character before the padding some bits mean nothing.
        int place = encoded.lastIndexOf('"') - 12;
        char before = encoded.charAt(place);
        String changed = encoded.substring(0, place) + (before == 'A' ? 'B' : 'A') + encoded.substring(place + 1);
        for (String body : new String[] {changed, "{\"payloads\":[{\"data\":\"%%canary%%\"}]}", "canary", ""}) {
            HttpResponse<String> refused =
                    send(post("/codec/decode", body).header("Authorization", token("codec:read")));
            assertThat(refused.statusCode()).as(body).isEqualTo(400);
            assertThat(refused.body()).doesNotContain("canary");
        }
    }

    @Test
    @DisplayName("The codec answers preflights and calls of the Web UI's origin, and of no other")
    void originIsTheWebUis() throws Exception {
        HttpResponse<String> allowed = preflight(webUi);
        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(allowed.headers().firstValue("Access-Control-Allow-Origin")).contains(webUi);
        assertThat(allowed.headers().firstValue("Access-Control-Allow-Credentials"))
                .contains("true");
        for (String foreign : new String[] {"https://evil.example", api.toString() + "1", "null"}) {
            HttpResponse<String> refused = preflight(foreign);
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.headers().firstValue("Access-Control-Allow-Origin"))
                    .isEmpty();
        }
        HttpResponse<String> elsewhere = send(HttpRequest.newBuilder(api.resolve("/v1/worker"))
                .header("Origin", webUi)
                .header("Access-Control-Request-Method", "GET")
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody()));
        assertThat(elsewhere.headers().firstValue("Access-Control-Allow-Origin"))
                .isEmpty();
    }

    private HttpResponse<String> preflight(String origin) throws Exception {
        return send(HttpRequest.newBuilder(api.resolve("/codec/decode"))
                .header("Origin", origin)
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "content-type,x-namespace")
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody()));
    }

    @Test
    @DisplayName("Signing in sets a cookie that no script reads, that stays on the site and opens the codec alone")
    void signInSetsCookie() throws Exception {
        assertThat(signIn("fleet").statusCode()).isEqualTo(403);
        assertThat(send(form("no token")).statusCode()).isEqualTo(401);
        HttpResponse<String> signedIn = signIn("codec:read");
        assertThat(signedIn.statusCode()).as(signedIn.body()).isEqualTo(200);
        String cookie = signedIn.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly", "SameSite=Strict", "Path=/codec");
        String sent = cookie.split(";", 2)[0];
        assertDecoded(
                send(post("/codec/decode", encoded()).header("Cookie", sent).header("Origin", webUi)));
        HttpResponse<String> elsewhere =
                send(HttpRequest.newBuilder(api.resolve("/v1/worker")).header("Cookie", sent));
        assertThat(elsewhere.statusCode()).isEqualTo(401);
    }

    @Test
    @Tag("X32")
    @DisplayName("No other site's form signs a person in")
    void otherSitesCannotSignIn() throws Exception {
        String token = new Tokens(stack).sign("codec-reader", "codec:read");
        for (String site : new String[] {"cross-site", "same-site", "none"}) {
            HttpResponse<String> refused = send(form(token).header("Sec-Fetch-Site", site));
            assertThat(refused.statusCode()).as(site).isEqualTo(403);
            assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
        }
        assertThat(send(form(token).header("Sec-Fetch-Site", "same-origin")).statusCode())
                .isEqualTo(200);
    }

    private HttpResponse<String> signIn(String scope) throws Exception {
        return send(form(new Tokens(stack).sign("codec-reader", scope)));
    }

    private HttpRequest.Builder form(String token) {
        return HttpRequest.newBuilder(api.resolve("/codec/sign-in"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("token=" + URLEncoder.encode(token, StandardCharsets.UTF_8)));
    }
}
