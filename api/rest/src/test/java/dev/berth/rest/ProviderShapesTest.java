package dev.berth.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tokens in the shape of each identity provider, at the real door of the API. */
@Tag("T8")
class ProviderShapesTest {
    private static final String READ = "orders:read";
    private static final JsonMapper JSON = new JsonMapper();

    private static TestProvider provider;

    @BeforeAll
    static void startProvider() throws Exception {
        provider = new TestProvider();
    }

    @AfterAll
    static void stopProvider() {
        provider.close();
    }

    private static ApiDoor door(String issuer, Map<String, String> variables) {
        return new ApiDoor(provider, issuer, variables);
    }

    private static void assertCaller(ApiDoor api, String claims, String userId, String subject, String... scopes)
            throws Exception {
        HttpResponse<String> answer = api.get("/v1/me", claims);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode me = JSON.readTree(answer.body());
        assertThat(me.path("userId").asString()).isEqualTo(userId);
        assertThat(me.path("subject").asString()).isEqualTo(subject);
        assertThat(me.path("issuer").asString())
                .isEqualTo(JSON.readTree(claims).path("iss").asString());
        List<String> granted = new ArrayList<>();
        me.path("scopes").forEach(scope -> granted.add(scope.asString()));
        assertThat(granted).containsExactlyInAnyOrder(scopes);
        assertThat(me.path("expiresAt").asString()).endsWith("Z");
        HttpResponse<String> orders = api.get("/v1/orders", claims);
        if (granted.contains(READ)) {
            assertThat(orders.body()).isEqualTo("\"" + userId + "\"");
            assertThat(api.get("/v1/worker", claims).body()).isEqualTo(userId);
        } else {
            assertThat(orders.statusCode()).isEqualTo(403);
        }
        assertThat(api.get("/v1/fleet", claims).statusCode()).isEqualTo(granted.contains("fleet:read") ? 200 : 403);
    }

    @Test
    @DisplayName("Auth0: a subject with a bar; scopes, permissions, or roles in a claim that is a URL")
    void auth0TokensAreRead() throws Exception {
        String issuer = "https://tenant.eu.auth0.com/";
        String user = "u-x65iqi2yjjissgzafy2644yb6ldf56qbtotke4pidlr7mriv2ljq";
        String subject = "auth0|507f1f77bcf86cd799439011";
        String claims = """
                {"iss": "%s", "sub": "%s", "aud": ["https://berth.example", "https://tenant.eu.auth0.com/userinfo"],
                 "iat": 1795000000, "scope": "openid profile orders:read orders:trade", "azp": "my_client_id",
                 "permissions": ["orders:read"], "https://berth.example/roles": ["Desk Operator"]}""".formatted(issuer, subject);
        try (ApiDoor api = door(issuer, Map.of("BERTH_AUTH_AUDIENCE", "https://berth.example"))) {
            assertCaller(api, claims, user, subject, READ, "orders:trade");
            assertThat(api.get("/v1/orders", "at+jwt", claims).body()).contains(user);
        }
        try (ApiDoor api = door(
                issuer,
                Map.of(
                        "BERTH_AUTH_AUDIENCE", "https://berth.example",
                        "BERTH_AUTH_SCOPE_CLAIM", "permissions,https://berth.example/roles",
                        "BERTH_AUTH_ROLES", "orders:read=orders:read; Desk Operator=fleet"))) {
            assertCaller(api, claims, user, subject, READ, "fleet:read", "fleet:operate", "risk:write");
        }
    }

    @Test
    @DisplayName("Okta: a login name or a mixed-case id, and scp as a list")
    void oktaTokensAreRead() throws Exception {
        String issuer = "https://tenant.okta.com/oauth2/default";
        String claims = """
                {"ver": 1, "jti": "AT.0mP4JKAZX1iACIT4vbEDF7LpvDVjxypPMf0D7uX39RE", "iss": "%s", "aud": "api://default",
                 "sub": "jane.doe@example.com", "iat": 1795000000, "cid": "nmdP1fcyvdVO11AL7ECm",
                 "uid": "00u1a2b3C4D5e6F7g8h9", "scp": ["openid", "orders:read"]}""".formatted(issuer);
        try (ApiDoor api = door(issuer, Map.of("BERTH_AUTH_AUDIENCE", "api://default"))) {
            assertCaller(
                    api,
                    claims,
                    "u-z7k72sunolee4oqaj2itjcdxz3v7wirxls7muxgzq66255oky5gq",
                    "jane.doe@example.com",
                    READ);
        }
        try (ApiDoor api =
                door(issuer, Map.of("BERTH_AUTH_AUDIENCE", "api://default", "BERTH_AUTH_USER_CLAIM", "uid"))) {
            assertCaller(
                    api,
                    claims,
                    "u-6kc6bt3td3z4imm2stbydhzgut5sim25znmxamuut6b7otruingq",
                    "00u1a2b3C4D5e6F7g8h9",
                    READ);
            HttpResponse<String> service = api.get("/v1/me", claims.replace("uid", "other"));
            assertThat(service.statusCode()).isEqualTo(401);
            assertThat(service.body()).contains("no uid", "berth.auth.user-claim");
        }
    }

    @Test
    @DisplayName("Entra ID: oid as the user, scp of a person as words, app roles of a program as a list")
    void entraTokensAreRead() throws Exception {
        String issuer = "https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0";
        String audience = "6e74172b-be56-4843-9ff4-e66a39bb12e3";
        String oid = "6b1b36cb-c4a9-4c5c-9a43-0b1f3a5d2e11";
        String person = """
                {"aud": "%s", "iss": "%s", "iat": 1795000000, "azp": "7a0e8b1c-0000-4f5e-9d55-6a3f31d1c000", "oid": "%s",
                 "scp": "orders.read access_as_user", "roles": ["Berth.Trader"], "ver": "2.0",
                 "sub": "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ", "tid": "9122040d-6c67-4c5b-b112-36a304b66dad"}""".formatted(audience, issuer, oid);
        try (ApiDoor api = door(
                issuer,
                Map.of(
                        "BERTH_AUTH_AUDIENCE", audience,
                        "BERTH_AUTH_USER_CLAIM", "oid",
                        "BERTH_AUTH_SCOPE_CLAIM", "scp,roles",
                        "BERTH_AUTH_ROLES", "orders.read=orders:read; Berth.Trader=orders:read orders:trade"))) {
            assertCaller(api, person, oid, oid, READ, "orders:trade");
            assertCaller(api, person.replace("\"scp\"", "\"x\""), oid, oid, READ, "orders:trade");
            assertCaller(api, person.replace("\"roles\"", "\"x\""), oid, oid, READ);
            assertCaller(api, person.replace("Berth.Trader", "berth.trader").replace("\"scp\"", "\"x\""), oid, oid);
        }
        try (ApiDoor api = door(issuer, Map.of("BERTH_AUTH_AUDIENCE", audience, "BERTH_AUTH_SCOPE_CLAIM", "roles"))) {
            assertCaller(
                    api,
                    person.replace("Berth.Trader", READ),
                    "u-zimir2yxy2sguro33qgglkn4ugqln5twvxok2c5ngsrtexpba7ma",
                    "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
                    READ);
        }
    }

    @Test
    @DisplayName("Keycloak: roles of the realm and of a client, by paths through the token")
    void keycloakTokensAreRead() throws Exception {
        String issuer = "https://sso.example/realms/desk";
        String subject = "f6a4f7a0-8c9b-4f0e-a7d3-5a2f0c7b9d1e";
        String claims = """
                {"iat": 1795000000, "jti": "onrtac:0c5e", "iss": "%s", "aud": ["berth", "account"], "sub": "%s", "typ": "Bearer",
                 "azp": "desk-web", "realm_access": {"roles": ["offline_access", "Trader", "fleet"]},
                 "resource_access": {"account": {"roles": ["view-profile"]}, "berth": {"roles": ["Risk Officer"]},
                  "web.app": {"roles": ["reader"]}}, "scope": "openid profile email", "preferred_username": "jane"}""".formatted(issuer, subject);
        try (ApiDoor api = door(
                issuer,
                Map.of(
                        "BERTH_AUTH_SCOPE_CLAIM", "realm_access.roles,resource_access.berth.roles",
                        "BERTH_AUTH_ROLES", "Trader=orders:read orders:trade; Risk Officer=risk:write"))) {
            assertCaller(api, claims, subject, subject, READ, "orders:trade", "risk:write");
        }
        try (ApiDoor api = door(
                issuer,
                Map.of(
                        "BERTH_AUTH_SCOPE_CLAIM", "resource_access.web.app.roles",
                        "BERTH_AUTH_USER_CLAIM", "preferred_username",
                        "BERTH_AUTH_ROLES", "reader=orders:read"))) {
            assertCaller(api, claims, "jane", "jane", READ);
            // A literal claim wins.
            assertCaller(
                    api,
                    claims.replace("\"iat\"", "\"resource_access.web.app.roles\": [\"other\"], \"iat\""),
                    "jane",
                    "jane");
        }
    }

    @Test
    @DisplayName("Cognito: an access token names its client instead of an audience; groups and resource-server scopes")
    void cognitoTokensAreRead() throws Exception {
        String issuer = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_EXAMPLE";
        String subject = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";
        String claims = """
                {"sub": "%s", "cognito:groups": ["Traders"], "iss": "%s", "version": 2, "client_id": "xxxxxxxxxxxxexample",
                 "token_use": "access", "scope": "openid berth/orders:read https://api.example.com/codec:read",
                 "auth_time": 1795000000, "iat": 1795000000, "jti": "j", "username": "Jane"}""".formatted(subject, issuer);
        try (ApiDoor api = door(
                issuer,
                Map.of(
                        "BERTH_AUTH_AUDIENCE_CLAIM", "client_id",
                        "BERTH_AUTH_AUDIENCE", "machineexample,xxxxxxxxxxxxexample",
                        "BERTH_AUTH_SCOPE_CLAIM", "scope,cognito:groups",
                        "BERTH_AUTH_ROLES",
                                "berth/orders:read=orders:read; Traders=orders:trade;"
                                        + " https://api.example.com/codec:read=codec:read"))) {
            assertCaller(api, claims, subject, subject, READ, "orders:trade", "codec:read");
            HttpResponse<String> id = api.get("/v1/me", claims.replace("client_id", "aud"));
            assertThat(id.statusCode()).isEqualTo(401);
            assertThat(id.body()).contains("no client_id for machineexample or xxxxxxxxxxxxexample");
            assertThat(api.get("/v1/me", claims.replace("xxxxxxxxxxxxexample", "another"))
                            .statusCode())
                    .isEqualTo(401);
            assertThat(api.signIn(claims)).isEqualTo(200);
            assertThat(api.signIn(claims.replace("codec:read", "codec"))).isEqualTo(403);
        }
    }
}
