package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.FakeApi.Result;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T8")
class IdentityCommandsTest {
    private final FakeApi api;

    IdentityCommandsTest() throws IOException {
        api = new FakeApi();
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    @DisplayName("The user id of a subject is printed alone, so that another command can take it")
    void printsUserId() {
        api.answers(200, """
                {"userId":"u-x65i","subject":"auth0|Jane &","issuer":"https://login.example"}""");
        Result found = api.run("user", "auth0|Jane &");
        assertThat(found.exitCode()).isZero();
        assertThat(found.out()).isEqualTo("u-x65i\n");
        assertThat(api.calls()).containsExactly("GET /v1/fleet/users?subject=auth0%7CJane+%26");
        assertThat(api.run("user").exitCode()).isEqualTo(CommandFailure.WRONG_USAGE);
    }

    @Test
    @DisplayName("me shows what Berth reads in the token")
    void printsCaller() {
        api.answers(200, """
                {"userId":"u-x65i","subject":"auth0|Jane","issuer":"https://login.example",
                "scopes":["orders:read","orders:trade"],"expiresAt":"2026-11-27T03:00:00Z"}""");
        assertThat(api.run("me").out()).isEqualTo("""
                user     u-x65i
                subject  auth0|Jane
                issuer   https://login.example
                scopes   orders:read orders:trade
                expires  2026-11-27T03:00:00Z
                """);
        assertThat(api.calls()).containsExactly("GET /v1/me");
        api.answers(200, """
                {"subject":"fleet","issuer":"berth-local","scopes":[],"expiresAt":"T"}""");
        assertThat(api.run("me").out()).contains("user     none: Berth itself", "scopes   none\n");
    }
}
