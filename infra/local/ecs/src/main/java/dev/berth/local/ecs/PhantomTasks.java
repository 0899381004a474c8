package dev.berth.local.ecs;

import dev.berth.local.ecs.Task.End;
import dev.berth.local.ecs.Task.StartedProcess;
import dev.berth.local.ecs.Task.StopCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Tasks without a process, listed and described as running tasks of one family, so that a small
 * machine shows a large fleet. Their start time is an hour before their creation, {@code startedBy}
 * is absent, and their host does not exist. StopTask stops a phantom task at once and sends no
 * event. Task ids are {@code phantom} and the number in 8 digits.
 */
final class PhantomTasks {
    private static final Duration AGE = Duration.ofHours(1);
    private static final Pattern ID = Pattern.compile("phantom(\\d{8})");

    private final String cluster;
    private final int count;
    private final String family;
    private final Instant startedAt = Instant.now().minus(AGE);
    private final Map<String, Task> stopped = new ConcurrentHashMap<>();

    PhantomTasks(String cluster, int count, String family) {
        this.cluster = cluster;
        this.count = count;
        this.family = family;
    }

    /**
     * The ARNs that follow {@code nextToken}, one more than a page holds; none if a filter excludes
     * them.
     */
    List<String> list(ApiRequest request) {
        boolean isExcluded = request.text("startedBy").isPresent()
                || request.text("containerInstance").isPresent()
                || request.text("family")
                        .filter(requested -> !requested.equals(family))
                        .isPresent()
                || request.text("desiredStatus").filter("STOPPED"::equals).isPresent();
        return isExcluded
                ? List.of()
                : IntStream.range(firstAfter(request.text("nextToken").orElse("")), count)
                        .mapToObj(PhantomTasks::id)
                        .filter(id -> !stopped.containsKey(id))
                        .map(id -> Arn.task(cluster, id))
                        .limit(ArnPage.LARGEST + 1L)
                        .toList();
    }

    /** All ids have the same length, so the order of ids is the order of numbers. */
    private static int firstAfter(String arn) {
        Matcher id = ID.matcher(Arn.shortId(arn));
        return id.matches() ? Integer.parseInt(id.group(1)) + 1 : 0;
    }

    /** By ARN or id; empty for any other task. */
    Optional<Task> find(String arnOrId) {
        String id = Arn.shortId(arnOrId);
        return ID.matcher(id).matches() && firstAfter(id) <= count
                ? Optional.of(Optional.ofNullable(stopped.get(id)).orElseGet(() -> running(id)))
                : Optional.empty();
    }

    /** The stopped task; empty for any other task. */
    Optional<Task> stop(String arnOrId, String reason, Instant now) {
        return find(arnOrId).map(task -> {
            Task end = task.stopRequested(StopCode.UserInitiated, reason, now).exited(End.exited(now, 143));
            stopped.put(end.id(), end);
            return end;
        });
    }

    private Task running(String id) {
        TaskPlan plan = new TaskPlan(
                cluster,
                id,
                "phantom",
                Arn.taskDefinition(family, 1),
                family,
                1,
                family,
                "",
                ContainerSettings.NONE,
                new TaskSize(0, 0, 0),
                List.of(),
                Map.of(),
                "",
                0,
                false,
                "family:" + family,
                null,
                null,
                EcsJson.object().set("containerOverrides", EcsJson.array()),
                EcsJson.array(),
                null,
                startedAt);
        return Task.accepted(plan).pulled(startedAt, null).launched(new StartedProcess(0, null, startedAt));
    }

    private static String id(int number) {
        return String.format(Locale.ROOT, "phantom%08d", number);
    }
}
