package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.FakeApi.Result;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("D5")
class GroupCommandsTest {
    private final FakeApi api;

    GroupCommandsTest() throws IOException {
        api = new FakeApi();
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    @DisplayName("Groups are shown with their users, pools and task definitions")
    void showsGroups() {
        api.answers(200, """
                {"groups":[{"group":"gold","taskDefinition":"berth-worker-gold:3","capacityProvider":"gold-hosts",
                "poolTarget":4,"users":12}]}""");
        Result shown = api.run("group");
        assertThat(shown.exitCode()).isZero();
        assertThat(shown.out()).isEqualTo("""
                group                            users  pool  workers
                gold                                12     4  berth-worker-gold:3 on gold-hosts
                """);
        assertThat(api.calls()).containsExactly("GET /v1/fleet/groups");
    }

    @Test
    @DisplayName("A user is put into a group and taken out of it")
    void movesUsers() {
        api.answers(200, "{\"userId\":\"ann\",\"group\":\"gold\"}");
        assertThat(api.run("group", "gold", "add", "ann").out()).startsWith("ann is in group gold from the next start");
        api.answers(200, "{\"group\":\"gold\",\"items\":[\"ann\",\"bob\"],\"nextCursor\":\"bob\"}");
        assertThat(api.run("group", "gold", "--limit", "2").out()).isEqualTo("""
                ann
                bob
                There are more; the next page begins at bob
                """);
        api.answers(200, "{\"group\":\"gold\",\"items\":[]}");
        assertThat(api.run("group", "gold").out()).isEqualTo("No user is in this group.\n");
        assertThat(api.calls())
                .containsExactly(
                        "PUT /v1/fleet/groups/gold/users/ann",
                        "GET /v1/fleet/groups/gold/users?&limit=2",
                        "GET /v1/fleet/groups/gold/users");
        assertThat(api.run("group", "gold", "move", "ann").exitCode()).isEqualTo(2);
        assertThat(api.run("group", "gold", "add").exitCode()).isEqualTo(2);
    }
}
