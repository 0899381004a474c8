package dev.berth.workflows.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The frame {@code call} of the remote protocol (docs/remote.md).
 *
 * @param type always {@code call}
 * @param callId unique; the machine executes it once
 * @param account of the user whose connection it goes to, as {@code broker/market/environment/id}
 * @param orderId the client order id; absent when the call is of no order
 * @param epoch of the worker that calls
 * @param deadline by the server's clock; not executed after it
 * @param body by method
 */
public record RemoteCall(
        String type,
        String callId,
        RemoteMethod method,
        String account,
        @Nullable String orderId,
        long epoch,
        Instant deadline,
        JsonNode body) {
    /** Routes calls to the handler of these connections. */
    public static final String KIND = "remote";
    /** Brokers of this name are on the customer's machine. */
    public static final String BROKER = "remote";
    /** The size limit of a frame, in either direction. */
    public static final int MAX_FRAME_BYTES = 128 * 1024;

    public static final String TYPE = "call";
    private static final Pattern CALL_ID = Pattern.compile("[A-Za-z0-9-]{8,64}");

    public RemoteCall {
        if (!CALL_ID.matcher(callId).matches()) {
            throw new IllegalArgumentException("a call id is 8 to 64 letters, digits and hyphens");
        }
    }

    public RemoteCall(
            String callId,
            RemoteMethod method,
            String account,
            @Nullable String orderId,
            long epoch,
            Instant deadline,
            JsonNode body) {
        this(TYPE, callId, method, account, orderId, epoch, deadline, body);
    }
}
