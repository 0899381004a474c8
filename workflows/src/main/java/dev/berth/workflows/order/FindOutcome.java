package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/** What the venue knows of a client order id. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "outcome")
@JsonSubTypes({@JsonSubTypes.Type(FindOutcome.Found.class), @JsonSubTypes.Type(FindOutcome.Absent.class)})
public sealed interface FindOutcome {

    /**
     * The venue has it.
     *
     * @param streamed whether the session surely hears of every change, so that a check can wait
     */
    @JsonTypeName("found")
    record Found(
            ExecutionReport report,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean streamed) implements FindOutcome {
        public Found(ExecutionReport report) {
            this(report, false);
        }
    }

    /**
     * The venue does not have it at this moment; a request that is still on its way may yet arrive.
     *
     * @param unproven whether the venue may have it all the same: it was perhaps written, and its
     *     id does not find it for sure
     */
    @JsonTypeName("absent")
    record Absent(
            long epoch,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean unproven) implements FindOutcome {
        public Absent(long epoch) {
            this(epoch, false);
        }
    }
}
