package dev.berth.workflows.maintenance;

import dev.berth.workflows.UserId;
import java.util.List;

/**
 * Which workers run which revision of their task definition, and what an upgrade does.
 *
 * @param target the revision that new workers of the default group get
 * @param revisions how many workers run each, and how many idle pool workers
 * @param next the first users, at most 100, whose workers are to be handed over
 * @param remaining workers of another revision than new ones of their group: those of users, and
 *     idle ones
 */
public record UpgradePlan(String target, List<Revision> revisions, List<Outdated> next, int remaining) {
    /** Workers of one revision of the task definition. */
    public record Revision(String taskDefinition, int workers, int idle) {}

    /**
     * A worker of another revision than new ones of its group.
     *
     * @param target the revision that its successor gets
     */
    public record Outdated(UserId userId, String taskArn, String taskDefinition, String target) {}

    public UpgradePlan {
        revisions = List.copyOf(revisions);
        next = List.copyOf(next);
    }

    static UpgradePlan unknown() {
        return new UpgradePlan("", List.of(), List.of(), 0);
    }
}
