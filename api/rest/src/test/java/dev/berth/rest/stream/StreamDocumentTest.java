package dev.berth.rest.stream;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.order.UserEvent;
import dev.berth.rest.account.AccountOrdersView;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.account.AccountBalances;
import dev.berth.workflows.account.AccountBalances.CurrencyBalance;
import dev.berth.workflows.account.AccountPosition;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionFee;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.worker.WorkerPhase;
import dev.berth.workflows.worker.WorkerState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The messages of the stream, beside {@code docs/asyncapi.yaml}. */
class StreamDocumentTest {
    private final JsonMapper json = new JsonMapper();
    private final Map<String, Object> schemas = schemas();

    private static Map<String, Object> schemas() {
        try {
            Map<String, Object> document = new Yaml().load(Files.readString(Path.of("../../docs/asyncapi.yaml")));
            return child(child(document, "components"), "schemas");
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> child(Map<String, Object> parent, String name) {
        return (Map<String, Object>) Objects.requireNonNull(parent.get(name), name);
    }

    /** What in the message contradicts the schema. */
    private List<String> errors(String path, JsonNode value, Map<String, Object> schema) {
        if (schema.get("$ref") instanceof String reference) {
            return errors(path, value, child(schemas, reference.substring(reference.lastIndexOf('/') + 1)));
        }
        List<String> errors = new ArrayList<>();
        if (schema.containsKey("const") && !schema.get("const").equals(value.asString())) {
            errors.add(path + " is not " + schema.get("const"));
        }
        if (schema.get("enum") instanceof List<?> values && !values.contains(value.asString())) {
            errors.add(path + " is none of " + values);
        }
        if (schema.containsKey("type") && !hasType(value, schema.get("type"))) {
            errors.add(path + " is no " + schema.get("type"));
        }
        if ("date-time".equals(schema.get("format")) && value.isString()) {
            Instant.parse(value.asString());
        }
        if (schema.containsKey("properties")) {
            Map<String, Object> properties = child(schema, "properties");
            if (schema.get("required") instanceof List<?> required) {
                required.stream()
                        .filter(name -> !value.has(String.valueOf(name)))
                        .forEach(name -> errors.add(path + "." + name + " is missing"));
            }
            value.properties().forEach(field -> {
                if (properties.containsKey(field.getKey())) {
                    errors.addAll(
                            errors(path + "." + field.getKey(), field.getValue(), child(properties, field.getKey())));
                } else {
                    errors.add(path + "." + field.getKey() + " is not documented");
                }
            });
        }
        return errors;
    }

    private static boolean hasType(JsonNode value, Object type) {
        if (type instanceof List<?> types) {
            return types.stream().anyMatch(one -> hasType(value, one));
        }
        return switch (String.valueOf(type)) {
            case "object" -> value.isObject();
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "boolean" -> value.isBoolean();
            case "null" -> value.isNull();
            case "array" -> value.isArray();
            default -> false;
        };
    }

    private List<String> errors(StreamMessage message, String schema) {
        return errors("message", json.readTree(json.writeValueAsString(message)), child(schemas, schema));
    }

    @Test
    @Tag("D11")
    @DisplayName("Every message of the stream matches the AsyncAPI document")
    void messagesMatchDocument() {
        OrderState accepted = OrderState.accepted(order(ALICE, "o-1", NOON));
        OrderState failed =
                accepted.became(OrderStatus.FAILED, FailureCode.NOT_TAKEN.because("No worker took it."), NOON);
        for (OrderState order : List.of(accepted, accepted.attempted(NOON), failed)) {
            assertThat(errors(message(new UserEvent.OrderEvent(7, order)), "OrderMessage"))
                    .isEmpty();
        }
        Execution execution = new Execution("x-1", 0, Decimal.of("2"), Decimal.of("99.5"), NOON, true);
        Execution withFee = new Execution(
                "x-2",
                0,
                Decimal.of("2"),
                Decimal.of("99.5"),
                NOON,
                false,
                new ExecutionFee(SignedDecimal.of("-0.1"), "USD"),
                null);
        for (Execution fill : List.of(execution, withFee)) {
            assertThat(errors(message(new UserEvent.FillEvent(8, new ClientOrderId("o-1"), fill)), "FillMessage"))
                    .isEmpty();
        }
        String worker = Json.write(WorkerChange.of(WorkerState.none(ALICE)));
        assertThat(errors(message(new UserEvent.WorkerEvent(9, NOON, worker)), "WorkerMessage"))
                .isEmpty();
    }

    private static StreamMessage message(UserEvent event) {
        return StreamMessage.of(
                event,
                new AccountMessages((_, reported) -> AccountOrdersView.of(reported, Set.of(new ClientOrderId("o-1")))));
    }

    @Test
    @Tag("T1")
    @DisplayName("Every part of an account matches the AsyncAPI document")
    void accountMessagesMatchDocument() {
        AccountKey account = AccountKey.parse("alpaca/equity/paper/paper");
        AccountBalances balances = new AccountBalances(
                "USD",
                SignedDecimal.of("-12.5"),
                null,
                Decimal.of("100"),
                List.of(new CurrencyBalance("USD", SignedDecimal.of("-12.5"), Decimal.ZERO)),
                List.of("trading_blocked"));
        AccountPosition position = new AccountPosition(
                "AAPL", "us_equity", SignedDecimal.of("-3"), Decimal.of("3"), Decimal.of("99.5"), "USD", null);
        for (UserEvent.AccountEvent part : List.of(
                new UserEvent.AccountEvent(1, NOON, account, "BALANCES", Json.write(balances)),
                new UserEvent.AccountEvent(2, NOON, account, "POSITIONS", Json.write(List.of(position))),
                new UserEvent.AccountEvent(3, NOON, account, "ORDERS", "[]"))) {
            assertThat(errors(message(part), "AccountMessage")).isEmpty();
        }
    }

    @Test
    @DisplayName("A message that the AsyncAPI document does not describe is found")
    void undocumentedMessageIsFound() {
        StreamMessage order = message(new UserEvent.OrderEvent(7, OrderState.accepted(order(ALICE, "o-1", NOON))));
        assertThat(errors(order, "FillMessage"))
                .contains("message.type is not fill", "message.fill is missing", "message.order is not documented");
    }

    @Test
    void everyStatusAndWorkerStateIsDocumented() {
        assertThat(values("Order", "status"))
                .containsExactlyInAnyOrderElementsOf(names(OrderStatus.values(), OrderStatus::name));
        List<String> states = names(WorkerPhase.values(), WorkerPhase::name);
        // No lifecycle is ever in them.
        states.removeAll(List.of("POOL_IDLE", "PROCESSING"));
        assertThat(values("Worker", "state")).containsExactlyInAnyOrderElementsOf(states);
    }

    private static <T> List<String> names(T[] values, Function<T, String> name) {
        return new ArrayList<>(Arrays.stream(values).map(name).toList());
    }

    @SuppressWarnings("unchecked")
    private List<String> values(String schema, String property) {
        return (List<String>) Objects.requireNonNull(
                child(child(child(schemas, schema), "properties"), property).get("enum"));
    }
}
