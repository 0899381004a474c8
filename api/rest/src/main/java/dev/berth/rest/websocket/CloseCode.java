package dev.berth.rest.websocket;

/** Why the server closes a WebSocket. 4000 and above are Berth's own. */
public enum CloseCode {
    NORMAL(1000),
    /** The replica stops: connect again, to any replica. */
    GOING_AWAY(1001),
    /** A frame that no client of this address sends. */
    POLICY(1008),
    TOO_LARGE(1009),
    INTERNAL(1011),
    /** The token expired: connect again with a new one. */
    TOKEN(4401),
    /** What the client asks for is not the user's, or not permitted here. */
    FORBIDDEN(4403),
    /** The client reads too slowly: connect again, and continue. */
    TOO_SLOW(4408),
    /** A newer connection took the place of this one. */
    REPLACED(4409);

    private final int number;

    CloseCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
