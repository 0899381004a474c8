package dev.berth.local.ecs;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Tasks that are only listed, as running tasks of one family: with them a small machine shows a large fleet to whoever
 * lists it. They are not described, and nothing runs. Their ids are {@code phantom} and the number in 8 digits.
 */
final class Phantoms {
    static final Phantoms NONE = new Phantoms(0, "");

    private final String family;
    private final List<String> arns;

    @JsonCreator
    Phantoms(@JsonProperty("count") int count, @JsonProperty("family") String family) {
        if (count < 0) {
            throw new IllegalArgumentException("count must not be negative");
        }
        this.family = family;
        this.arns = IntStream.range(0, count)
                .mapToObj(number -> Arn.task("phantom%08d".formatted(number)))
                .toList();
    }

    @JsonIgnore
    int count() {
        return arns.size();
    }

    /** None, when the request asks for others. */
    @JsonIgnore
    List<String> asked(ApiRequest request) {
        boolean isOther = request.text("startedBy").isPresent()
                || request.text("containerInstance").isPresent()
                || request.text("family").filter(asked -> !asked.equals(family)).isPresent()
                || request.text("desiredStatus").filter("STOPPED"::equals).isPresent();
        return isOther ? List.of() : arns;
    }
}
