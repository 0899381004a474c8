package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/** How a replacement ended. A failure of the activity is the third way: nobody knows whether the venue has it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "outcome")
@JsonSubTypes({@JsonSubTypes.Type(ReplaceOutcome.Replaced.class), @JsonSubTypes.Type(ReplaceOutcome.NotReplaced.class)})
public sealed interface ReplaceOutcome {

    /** The venue has the next leg. {@code before} is what the leg that it replaced came to. */
    @JsonTypeName("replaced")
    record Replaced(VenueReport before, VenueReport next) implements ReplaceOutcome {}

    /** Surely not done: too late, refused by the venue, or stopped at the gate. {@code current} is the leg as it is. */
    @JsonTypeName("notReplaced")
    record NotReplaced(VenueReport current, Reason reason) implements ReplaceOutcome {}
}
