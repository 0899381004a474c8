package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.FakeApi.Result;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AuditCommandsTest {
    private static final String HEAD = "0a".repeat(32) + ":" + "0b".repeat(32);

    private final FakeApi api;

    AuditCommandsTest() throws IOException {
        api = new FakeApi();
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    @Tag("X29")
    @DisplayName("The audit is one line a row, and ends with the number that the next page begins after")
    void showsRows() {
        api.answers(200, """
                {"items":[{"chain":"OPERATORS","number":8,"at":"T2","actor":"olga","action":"STOP_WORKER","userId":"alice","detail":"margin"},
                {"chain":"USERS","number":7,"at":"T1","actor":"olga","action":"RESUME_ALL","detail":"up"}],"nextCursor":"USERS-7"}""");
        Result shown = api.run(
                "audit",
                "--user",
                "alice",
                "--actor",
                "idp|olga",
                "--action",
                "stop-worker",
                "--limit",
                "2",
                "--after",
                "OPERATORS-9");
        assertThat(shown.exitCode()).isZero();
        assertThat(shown.out()).isEqualTo("""
                     OPERATORS-8  T2  olga  STOP_WORKER of alice  margin
                         USERS-7  T1  olga  RESUME_ALL  up
                There are more; the next page begins at USERS-7
                """);
        assertThat(api.calls())
                .containsExactly(
                        "GET /v1/fleet/audit?&userId=alice&actor=idp%7Colga&action=STOP_WORKER&limit=2&after=OPERATORS-9");
    }

    @Test
    @Tag("X29")
    @DisplayName("A check of an intact audit ends with 0 and prints the head")
    void verifiesIntactAudit() {
        api.answers(200, "{\"intact\":true,\"rows\":12,\"head\":\"%s\"}".formatted(HEAD));
        Result intact = api.run("audit", "--verify");
        assertThat(intact.exitCode()).isZero();
        assertThat(intact.out()).contains("intact, 12 rows").endsWith("\n" + HEAD + "\n");
        assertThat(api.run("audit", "--expect-head", HEAD).exitCode()).isZero();
        assertThat(api.calls())
                .containsExactly("GET /v1/fleet/audit:verify", "GET /v1/fleet/audit:verify?expectHead=" + HEAD);
    }

    @Test
    @Tag("X29")
    @DisplayName("A check of a changed audit ends with 1 and names the row, in text and in JSON")
    void verifiesChangedAudit() {
        String found =
                "{\"intact\":false,\"rows\":4,\"head\":\"%s\",\"fault\":{\"kind\":\"MISSING\",\"row\":\"USERS-5\","
                                .formatted(HEAD)
                        + "\"text\":\"Row USERS-5 was removed.\"}}";
        api.answers(200, found);
        Result text = api.run("audit", "--verify");
        assertThat(text.exitCode()).isEqualTo(1);
        assertThat(text.out()).isEqualTo("NOT INTACT. Row USERS-5 was removed. The 4 rows before are intact.\n");
        Result json = api.run("audit", "--verify", "-o", "json");
        assertThat(json.exitCode()).isEqualTo(1);
        assertThat(json.out()).isEqualTo(found + "\n");
        assertThat(json.err()).contains("not intact", "Row USERS-5");
    }
}
