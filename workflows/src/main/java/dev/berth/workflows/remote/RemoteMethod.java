package dev.berth.workflows.remote;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a customer's machine can be asked to do. */
public enum RemoteMethod {
    @JsonProperty("send")
    SEND(true),
    @JsonProperty("replace")
    REPLACE(true),
    @JsonProperty("cancel")
    CANCEL(true),
    @JsonProperty("find")
    FIND(false),
    @JsonProperty("findExecutions")
    FIND_EXECUTIONS(false),
    @JsonProperty("hasWorkingOrders")
    HAS_WORKING_ORDERS(false),
    @JsonProperty("ping")
    PING(false);

    private final boolean writes;

    RemoteMethod(boolean writes) {
        this.writes = writes;
    }

    /** Whether the call changes something at the broker, so that it is executed once. */
    public boolean writes() {
        return writes;
    }
}
