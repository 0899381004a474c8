package dev.berth.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Orders and reports in the JSON of frames. Decimals are plain strings, of 9 digits at most. */
final class SdkFrames {
    static final int PROTOCOL = 1;
    static final int MAX_BYTES = 128 * 1024;
    private static final int FRACTION_DIGITS = 9;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private SdkFrames() {}

    /** @throws IllegalArgumentException when it is no frame */
    static JsonNode read(String text) {
        try {
            JsonNode frame = MAPPER.readTree(text);
            if (frame.path("type").isTextual()) {
                return frame;
            }
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException("no JSON", noJson);
        }
        throw new IllegalArgumentException("a message that is no frame");
    }

    static String write(JsonNode frame) {
        try {
            return MAPPER.writeValueAsString(frame);
        } catch (JsonProcessingException unreachable) {
            throw new UncheckedIOException(unreachable);
        }
    }

    static ObjectNode frame(String type) {
        return MAPPER.createObjectNode().put("type", type);
    }

    static ObjectNode hello(String machine, Collection<String> accounts, @Nullable Long takeOver) {
        ObjectNode hello = frame("hello")
                .put("protocol", PROTOCOL)
                .put("sdk", "berth-remote-java/0.1.0")
                .put("machine", machine);
        accounts.forEach(hello.putArray("accounts")::add);
        return hello.put("takeOver", takeOver);
    }

    static Broker.Order order(JsonNode body) {
        return new Broker.Order(
                text(body, "clientOrderId"),
                text(body, "symbol"),
                text(body, "side"),
                text(body, "type"),
                new BigDecimal(text(body, "quantity")),
                decimal(body.path("limitPrice")),
                decimal(body.path("stopPrice")),
                text(body, "timeInForce"));
    }

    static Broker.Replacement replacement(JsonNode body) {
        return new Broker.Replacement(
                text(body, "current"),
                text(body, "next"),
                new BigDecimal(text(body, "quantity")),
                decimal(body.path("limitPrice")),
                decimal(body.path("stopPrice")));
    }

    static String text(JsonNode parent, String field) {
        return parent.required(field).asText();
    }

    private static @Nullable BigDecimal decimal(JsonNode value) {
        return value.isTextual() ? new BigDecimal(value.asText()) : null;
    }

    static ObjectNode outcome(String outcome) {
        return MAPPER.createObjectNode().put("outcome", outcome);
    }

    static ObjectNode found(Optional<Broker.Report> report) {
        ObjectNode outcome = outcome(report.isPresent() ? "report" : "absent");
        report.ifPresent(found -> outcome.set("report", report(found)));
        return outcome;
    }

    static ObjectNode report(Broker.Report report) {
        ObjectNode written = MAPPER.createObjectNode()
                .put("clientOrderId", report.clientOrderId())
                .put("status", report.status().name())
                .put("venueStatus", report.venueStatus())
                .put("venueOrderId", report.venueOrderId())
                .put("quantity", plain(report.quantity()))
                .put("filledQuantity", plain(report.filledQuantity()))
                .put("averagePrice", plain(report.averagePrice()));
        Broker.Reason reason = report.reason();
        written.set(
                "reason",
                reason == null
                        ? MAPPER.nullNode()
                        : MAPPER.createObjectNode().put("code", reason.code()).put("text", reason.text()));
        written.put(
                "updatedAt",
                report.updatedAt() == null ? null : report.updatedAt().toString());
        var executions = written.putArray("executions");
        report.executions().forEach(execution -> executions.add(execution(execution)));
        return written;
    }

    private static ObjectNode execution(Broker.Execution execution) {
        ObjectNode written = MAPPER.createObjectNode()
                .put("executionId", execution.executionId())
                .put("quantity", plain(execution.quantity()))
                .put("price", plain(execution.price()))
                .put("at", execution.at().toString())
                .put("busted", execution.busted());
        Broker.Fee fee = execution.fee();
        if (fee != null) {
            written.putObject("fee").put("amount", plain(fee.amount())).put("currency", fee.currency());
        }
        return written;
    }

    private static @Nullable String plain(@Nullable BigDecimal value) {
        if (value == null) {
            return null;
        }
        BigDecimal rounded =
                value.scale() > FRACTION_DIGITS ? value.setScale(FRACTION_DIGITS, RoundingMode.HALF_EVEN) : value;
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
