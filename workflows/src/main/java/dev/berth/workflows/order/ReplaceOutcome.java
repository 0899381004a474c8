package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/**
 * How a replacement ended. A failure of the activity is the third way: the venue may or may not
 * have it.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "outcome")
@JsonSubTypes({@JsonSubTypes.Type(ReplaceOutcome.Replaced.class), @JsonSubTypes.Type(ReplaceOutcome.NotReplaced.class)})
public sealed interface ReplaceOutcome {

    /**
     * The venue has the next version. {@code before} is what the version that it replaced came to.
     */
    @JsonTypeName("replaced")
    record Replaced(ExecutionReport before, ExecutionReport next) implements ReplaceOutcome {}

    /**
     * Not done, which is proven: too late, refused by the venue, or stopped at the gate.
     * {@code current} is the version as it is.
     */
    @JsonTypeName("notReplaced")
    record NotReplaced(ExecutionReport current, Reason reason) implements ReplaceOutcome {}
}
