package dev.berth.acceptance.stream;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Stack;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

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

    /** The same of what a stream sent, without workers. */
    public static List<String> of(StreamClient stream) {
        return stream.messages().stream()
                .filter(message -> !message.path("type").asText().equals("worker"))
                .map(RecordedEvents::event)
                .toList();
    }

    private static String event(JsonNode message) {
        JsonNode order = message.path("order");
        return message.path("type").asText().equals("order")
                ? "order %s %s %s"
                        .formatted(
                                order.path("clientOrderId").asText(),
                                message.path("revision").asText(),
                                order.path("status").asText())
                : "fill %s %s"
                        .formatted(
                                message.path("clientOrderId").asText(),
                                message.path("fill").path("executionId").asText());
    }
}
