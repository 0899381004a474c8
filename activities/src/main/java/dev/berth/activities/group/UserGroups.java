package dev.berth.activities.group;

import dev.berth.activities.launch.LaunchTargets;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** Which group each user is in, in PostgreSQL. */
public final class UserGroups {
    private static final String READ = "SELECT group_name FROM user_groups WHERE user_id = ?";

    private static final String MEMBERS =
            "SELECT user_id FROM user_groups WHERE group_name = ? AND user_id > ? ORDER BY user_id LIMIT ?";

    private static final String COUNT = "SELECT count(*) FROM user_groups WHERE group_name = ?";

    private static final String PUT = """
            INSERT INTO user_groups (user_id, group_name, changed_at) VALUES (?, ?, now())
            ON CONFLICT (user_id) DO UPDATE SET group_name = excluded.group_name, changed_at = now()
            """;

    private static final String REMOVE = "DELETE FROM user_groups WHERE user_id = ? AND group_name = ?";

    private final JdbcTemplate postgres;
    private final LaunchTargets existing;

    /** @param existing the groups that users can be in; every other user is in the default group */
    public UserGroups(JdbcTemplate postgres, LaunchTargets existing) {
        this.postgres = postgres;
        this.existing = existing;
    }

    /**
     * The default group for a user who is in none, or in one that the settings no longer have.
     * Without any group in the settings PostgreSQL is not asked.
     *
     * @throws org.springframework.dao.DataAccessException when PostgreSQL does not answer
     */
    public UserGroup of(UserId userId) {
        if (existing.groups().isEmpty()) {
            return UserGroup.DEFAULT;
        }
        return postgres.queryForList(READ, String.class, userId.value()).stream()
                .map(UserGroup::new)
                .filter(existing::has)
                .findFirst()
                .orElse(UserGroup.DEFAULT);
    }

    /**
     * Users of a group by name.
     *
     * @param after the last user of the page before; empty for the first page
     */
    public List<UserId> members(UserGroup group, String after, int limit) {
        return postgres.queryForList(MEMBERS, String.class, group.name(), after, limit).stream()
                .map(UserId::new)
                .toList();
    }

    public long count(UserGroup group) {
        Long count = postgres.queryForObject(COUNT, Long.class, group.name());
        return count == null ? 0 : count;
    }

    /** Takes the user out of any other group. */
    public void put(UserId userId, UserGroup group) {
        postgres.update(PUT, userId.value(), group.name());
    }

    /** False when the user is not in the group. */
    public boolean remove(UserId userId, UserGroup group) {
        return postgres.update(REMOVE, userId.value(), group.name()) > 0;
    }
}
