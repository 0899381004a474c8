package dev.berth.acceptance.stream;

import dev.berth.acceptance.stack.Stack;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the tables of PostgreSQL hold of a user, in the order of the stream. */
public final class RecordedEvents {
    private static final String ALL = """
            SELECT position, 'order ' || client_order_id || ' ' || revision || ' ' || (state ->> 'status') AS event
              FROM order_events WHERE user_id = ?
            UNION ALL SELECT position, 'fill ' || client_order_id || ' ' || execution_id FROM fills WHERE user_id = ?
            ORDER BY position
            """;

    private RecordedEvents() {}

    /** Every step and fill of a user. */
    public static List<String> of(Stack stack, String user) throws SQLException {
        List<String> events = new ArrayList<>();
        try (Connection postgres = stack.openPostgres();
                PreparedStatement query = postgres.prepareStatement(ALL)) {
            query.setString(1, user);
            query.setString(2, user);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    events.add(rows.getString("event"));
                }
            }
        }
        return events;
    }

    /**
     * The same of what a stream sent, without workers and accounts. A step that a repeated workflow
     * task wrote otherwise is shown again, and counts where it was shown last; an equal repeat
     * counts twice.
     */
    public static List<String> of(StreamClient stream) {
        Map<String, StreamEvent> last = new HashMap<>();
        List<StreamEvent> shown = new ArrayList<>();
        for (StreamEvent message : stream.messages()) {
            switch (message.type()) {
                case "worker", "account" -> {}
                case "order" -> {
                    String step = message.order().clientOrderId() + " " + message.revision();
                    StreamEvent before = last.put(step, message);
                    if (before != null && !before.order().equals(message.order())) {
                        shown.remove(before);
                    }
                    shown.add(message);
                }
                default -> shown.add(message);
            }
        }
        return shown.stream().map(RecordedEvents::event).toList();
    }

    private static String event(StreamEvent message) {
        return message.type().equals("order")
                ? "order %s %s %s"
                        .formatted(
                                message.order().clientOrderId(),
                                message.revision(),
                                message.order().status())
                : "fill %s %s".formatted(message.clientOrderId(), message.fill().executionId());
    }
}
