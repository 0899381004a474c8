package dev.berth.activities.group;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.LaunchTargets;
import dev.berth.workflows.UserGroup;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("D5")
class UserGroupsTest {
    private static final UserGroup GOLD = new UserGroup("gold");
    private static final UserGroup SILVER = new UserGroup("silver");

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private final UserGroups groups = new UserGroups(postgres.client(), existing(GOLD, SILVER));

    @Test
    @DisplayName("A user is in one group at a time, and in the default group without one")
    void userIsInOneGroup() {
        assertThat(groups.of(ALICE)).isEqualTo(UserGroup.DEFAULT);
        groups.put(ALICE, GOLD);
        groups.put(ALICE, SILVER);
        groups.put(BOB, SILVER);
        assertThat(groups.of(ALICE)).isEqualTo(SILVER);
        assertThat(groups.count(GOLD)).isZero();
        assertThat(groups.count(SILVER)).isEqualTo(2);
        assertThat(groups.members(SILVER, "", 1)).containsExactly(ALICE);
        assertThat(groups.members(SILVER, "alice", 10)).containsExactly(BOB);

        assertThat(groups.remove(ALICE, GOLD)).isFalse();
        assertThat(groups.remove(ALICE, SILVER)).isTrue();
        assertThat(groups.of(ALICE)).isEqualTo(UserGroup.DEFAULT);
    }

    @Test
    @DisplayName("The users of a group that the settings no longer have are in the default group")
    void removedGroupIsDefault() {
        groups.put(ALICE, GOLD);
        UserGroups without = new UserGroups(postgres.client(), existing(SILVER));
        assertThat(without.of(ALICE)).isEqualTo(UserGroup.DEFAULT);
        assertThat(without.count(GOLD)).isEqualTo(1);
    }

    @Test
    @DisplayName("The groups of the settings are in the order of their names, and the default group is none of them")
    void groupsAreThoseOfSettings() {
        LaunchTargets existing = existing(SILVER, GOLD);
        assertThat(existing.groups().keySet()).containsExactly(GOLD, SILVER);
        assertThat(existing.has(GOLD)).isTrue();
        assertThat(existing.has(UserGroup.DEFAULT)).isFalse();
        assertThat(existing(SILVER).has(GOLD)).isFalse();
        assertThat(existing.all()).extracting(LaunchTarget::group).containsExactly(UserGroup.DEFAULT, GOLD, SILVER);
    }

    private static LaunchTargets existing(UserGroup... groups) {
        LaunchTarget defaults = new LaunchTarget("berth", "berth-worker");
        return new LaunchTargets(
                defaults,
                Stream.of(groups)
                        .collect(Collectors.toMap(
                                group -> group, group -> new LaunchTarget("berth", "berth-worker", "", group))));
    }
}
