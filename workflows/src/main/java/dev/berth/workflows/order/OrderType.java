package dev.berth.workflows.order;

import com.fasterxml.jackson.annotation.JsonProperty;

/** FIX OrdType. */
public enum OrderType {
    @JsonProperty("market")
    MARKET(false, false),
    @JsonProperty("limit")
    LIMIT(true, false),
    @JsonProperty("stop")
    STOP(false, true),
    @JsonProperty("stop_limit")
    STOP_LIMIT(true, true);

    private final boolean hasLimitPrice;
    private final boolean hasStopPrice;

    OrderType(boolean hasLimitPrice, boolean hasStopPrice) {
        this.hasLimitPrice = hasLimitPrice;
        this.hasStopPrice = hasStopPrice;
    }

    public boolean hasLimitPrice() {
        return hasLimitPrice;
    }

    public boolean hasStopPrice() {
        return hasStopPrice;
    }
}
