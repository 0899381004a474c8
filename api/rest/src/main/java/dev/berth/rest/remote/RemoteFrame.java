package dev.berth.rest.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workflows.Json;
import dev.berth.workflows.remote.RemoteReport;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Frames of the remote protocol beside {@link dev.berth.workflows.remote.RemoteCall}. */
sealed interface RemoteFrame {
    int PROTOCOL = 1;

    /**
     * The first frame.
     *
     * @param machine an id that the machine keeps beside its journal
     * @param takeOver the connection epoch of another machine that is known to be off
     */
    record Hello(
            int protocol,
            String machine,
            List<String> accounts,
            @Nullable Long takeOver,
            @Nullable String sdk) implements RemoteFrame {
        private static final int MOST_ACCOUNTS = 16;
        private static final int LONGEST_MACHINE = 64;

        public Hello {
            accounts = List.copyOf(accounts);
            if (accounts.isEmpty() || accounts.size() > MOST_ACCOUNTS) {
                throw new IllegalArgumentException("a machine serves 1 to " + MOST_ACCOUNTS + " accounts");
            }
            if (machine.isEmpty() || machine.length() > LONGEST_MACHINE) {
                throw new IllegalArgumentException("machine is 1 to " + LONGEST_MACHINE + " characters");
            }
        }
    }

    /**
     * The outcome of a call.
     *
     * @param text the whole frame, a {@link dev.berth.workflows.remote.RemoteAnswer}
     */
    record Answer(String callId, String text) implements RemoteFrame {}

    record Report(long reportId, String account, RemoteReport report) implements RemoteFrame {}

    record Ping(long id) implements RemoteFrame {}

    /**
     * Reads a frame of a customer's machine.
     *
     * @throws IllegalArgumentException when it is none
     */
    static RemoteFrame read(String text) {
        JsonNode frame = Json.tree(text);
        String type = frame.path("type").asText();
        return switch (type) {
            case "hello" -> Json.read(text, Hello.class);
            case "answer" -> new Answer(required(frame, "callId"), text);
            case "report" -> Json.read(text, Report.class);
            case "ping" -> Json.read(text, Ping.class);
            default -> throw new IllegalArgumentException("a frame of an unknown type");
        };
    }

    private static String required(JsonNode frame, String field) {
        if (!frame.path(field).isTextual()) {
            throw new IllegalArgumentException(field + " is missing");
        }
        return frame.get(field).asText();
    }

    /** Frames of the server. */
    sealed interface FromServer {
        String type();
    }

    record Registered(
            String type, int protocol, long connectionEpoch, long workerEpoch, Instant serverTime, int pingSeconds)
            implements FromServer {
        Registered(long connectionEpoch, long workerEpoch, Instant serverTime, int pingSeconds) {
            this("registered", PROTOCOL, connectionEpoch, workerEpoch, serverTime, pingSeconds);
        }
    }

    record Reported(String type, long reportId) implements FromServer {
        Reported(long reportId) {
            this("reported", reportId);
        }
    }

    record Refused(String type, long reportId, String detail) implements FromServer {
        Refused(long reportId, String detail) {
            this("refused", reportId, detail);
        }
    }

    record Goaway(String type, String reason, long drainSeconds) implements FromServer {
        static final String SHUTDOWN = "shutdown";
        static final String REPLACED = "replaced";
        static final String TAKEN_OVER = "takenOver";

        Goaway(String reason, long drainSeconds) {
            this("goaway", reason, drainSeconds);
        }
    }

    record Pong(String type, long id, Instant serverTime) implements FromServer {
        Pong(long id, Instant serverTime) {
            this("pong", id, serverTime);
        }
    }
}
