package dev.berth.rest.group;

import dev.berth.activities.group.UserGroups;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.LaunchTargets;
import dev.berth.process.settings.BerthSettings;
import dev.berth.process.settings.GroupOptions;
import dev.berth.rest.PageLimit;
import dev.berth.rest.Problem;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.temporal.client.Page;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Which users get workers of which group. The groups themselves are settings. */
@RestController
@RequestMapping("/v1/fleet/groups")
@Tag(name = "fleet")
class GroupController {
    private static final PageLimit LIMIT = new PageLimit(1000);

    private final UserGroups users;
    private final LaunchTargets targets;
    private final BerthSettings settings;
    private final RequestAudit audit;

    GroupController(UserGroups users, LaunchTargets targets, BerthSettings settings, RequestAudit audit) {
        this.users = users;
        this.targets = targets;
        this.settings = settings;
        this.audit = audit;
    }

    @GetMapping
    @Operation(
            summary = "The groups of users",
            description = "Those of the settings, with what their workers are. Every user who is in none of them is in"
                    + " the group default, which is not listed.")
    GroupView.All groups() {
        return new GroupView.All(
                targets.groups().values().stream().map(this::view).toList());
    }

    private GroupView view(LaunchTarget kind) {
        GroupOptions options = Objects.requireNonNull(settings.groups().get(kind.group()));
        return GroupView.of(kind, options, users.count(kind.group()));
    }

    @GetMapping("/{group}/users")
    @OperationResponses(problems = Problem.NOT_FOUND)
    @Operation(summary = "The users of a group", description = "By name; limit is 1 to 1000.")
    GroupView.Members members(
            @PathVariable String group,
            @RequestParam(defaultValue = "100") @Schema(minimum = "1", maximum = "1000") int limit,
            @RequestParam @Nullable String cursor) {
        String after = cursor == null ? "" : new UserId(cursor).value();
        Page<String> page = Page.of(users.members(existing(group), after, LIMIT.check(limit)), limit, UserId::value)
                .map(UserId::value);
        return new GroupView.Members(group, page.items(), page.nextCursor());
    }

    @PutMapping("/{group}/users/{userId}")
    @OperationResponses(problems = Problem.NOT_FOUND)
    @Operation(
            summary = "Put a user into a group",
            description = "And out of any other. It takes effect at the next start of the user's worker: a worker that"
                    + " runs stays as it is. To start one at once, stop the worker.")
    GroupView.Member put(
            @AuthenticationPrincipal Jwt operator, @PathVariable String group, @PathVariable String userId) {
        UserGroup known = existing(group);
        UserId user = new UserId(userId);
        return audit.change(operator, AuditAction.PUT_INTO_GROUP, user, group, () -> {
            users.put(user, known);
            return new GroupView.Member(userId, group);
        });
    }

    @DeleteMapping("/{group}/users/{userId}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @OperationResponses(problems = Problem.NOT_FOUND)
    @Operation(
            summary = "Take a user out of a group",
            description =
                    "The user is in the default group from the next start of a worker on. Nothing happens when the"
                            + " user is not in the group.")
    void remove(@AuthenticationPrincipal Jwt operator, @PathVariable String group, @PathVariable String userId) {
        UserGroup known = existing(group);
        UserId user = new UserId(userId);
        audit.change(operator, AuditAction.TAKE_OUT_OF_GROUP, user, group, () -> users.remove(user, known));
    }

    private UserGroup existing(String name) {
        return UserGroup.parse(name)
                .filter(targets::has)
                .orElseThrow(() -> Problem.NOT_FOUND.because(
                        targets.groups().isEmpty()
                                ? "There are no groups. Set berth.groups.NAME.task-definition first."
                                : "There is no such group. The groups are: "
                                        + targets.groups().keySet().stream()
                                                .map(UserGroup::name)
                                                .collect(Collectors.joining(", "))
                                        + "."));
    }
}
