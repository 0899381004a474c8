package dev.berth.local.ecs;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.local.ecs.Task.End;
import dev.berth.local.ecs.Task.Launch;
import dev.berth.local.ecs.Task.StopCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Tasks without a process, listed and described as running tasks of one family: with them a small machine shows a large
 * fleet. They were started an hour before they were asked for, for nobody, on a host that does not exist. One that is
 * asked to stop has stopped at once, and nobody hears of it. Their ids are {@code phantom} and the number in 8 digits.
 */
final class Phantoms {
    private static final Duration AGE = Duration.ofHours(1);
    private static final Pattern ID = Pattern.compile("phantom(\\d{8})");

    /** The constants above come first: it needs them. */
    static final Phantoms NONE = new Phantoms(0, "");

    private final int count;
    private final String family;
    private final Instant startedAt = Instant.now().minus(AGE);
    private final Map<String, Task> stopped = new ConcurrentHashMap<>();

    @JsonCreator
    Phantoms(@JsonProperty("count") int count, @JsonProperty("family") String family) {
        if (count < 0) {
            throw new IllegalArgumentException("count must not be negative");
        }
        this.count = count;
        this.family = family;
    }

    @JsonIgnore
    int count() {
        return count;
    }

    /** The next ones after the page before, more than a page takes; none, when the request asks for others. */
    List<String> asked(ApiRequest request) {
        boolean isOther = request.text("startedBy").isPresent()
                || request.text("containerInstance").isPresent()
                || request.text("family").filter(asked -> !asked.equals(family)).isPresent()
                || request.text("desiredStatus").filter("STOPPED"::equals).isPresent();
        return isOther
                ? List.of()
                : IntStream.range(firstAfter(request.text("nextToken").orElse("")), count)
                        .mapToObj(Phantoms::id)
                        .filter(id -> !stopped.containsKey(id))
                        .map(Arn::task)
                        .limit(Page.LARGEST + 1L)
                        .toList();
    }

    /** Ids are as long as each other, so their order is that of their numbers. */
    private static int firstAfter(String arn) {
        Matcher id = ID.matcher(Arn.shortId(arn));
        return id.matches() ? Integer.parseInt(id.group(1)) + 1 : 0;
    }

    /** By ARN or id; empty for every other task. */
    Optional<Task> find(String arnOrId) {
        String id = Arn.shortId(arnOrId);
        return ID.matcher(id).matches() && firstAfter(id) <= count
                ? Optional.of(Optional.ofNullable(stopped.get(id)).orElseGet(() -> running(id)))
                : Optional.empty();
    }

    /** As it is afterwards; empty for every other task. */
    Optional<Task> stop(String arnOrId, String reason, Instant now) {
        return find(arnOrId).map(task -> {
            Task end = task.stopRequested(StopCode.UserInitiated, reason, now).exited(new End(now, 143, null));
            stopped.put(end.id(), end);
            return end;
        });
    }

    private Task running(String id) {
        TaskPlan plan = new TaskPlan(
                id,
                "phantom",
                Arn.taskDefinition(family, 1),
                family,
                1,
                family,
                "",
                new TaskSize(0, 0, 0),
                List.of(),
                Map.of(),
                "",
                0,
                "family:" + family,
                null,
                null,
                Json.object().set("containerOverrides", Json.array()),
                Json.array(),
                null,
                startedAt);
        return Task.accepted(plan).pulled(startedAt, null).launched(new Launch(0, null, startedAt));
    }

    private static String id(int number) {
        return "phantom%08d".formatted(number);
    }
}
