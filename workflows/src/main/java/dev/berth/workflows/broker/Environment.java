package dev.berth.workflows.broker;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether an account trades with real money. */
public enum Environment {
    @JsonProperty("paper")
    PAPER,
    @JsonProperty("live")
    LIVE;

    /**
     * Reads what JSON calls it.
     *
     * @throws IllegalArgumentException when it is neither
     */
    public static Environment parse(String text) {
        return switch (text) {
            case "paper" -> PAPER;
            case "live" -> LIVE;
            default -> throw new IllegalArgumentException("account.environment is paper or live.");
        };
    }
}
