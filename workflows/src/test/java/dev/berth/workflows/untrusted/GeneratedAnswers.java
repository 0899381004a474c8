package dev.berth.workflows.untrusted;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.workflows.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What a hostile worker may answer in place of a good answer: the good one with a part that is
 * missing, null, of another type, huge, of another user, or of another order; or something else.
 */
public final class GeneratedAnswers {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private final Random random;

    public GeneratedAnswers(long seed) {
        this.random = new Random(seed);
    }

    /** JSON, or a text that is none. */
    public String of(Object good) {
        try {
            JsonNode tree = MAPPER.readTree(Json.write(good));
            return switch (random.nextInt(10)) {
                case 0 -> strange().toString();
                case 1 -> truncated(tree.toString());
                default -> changed(tree).toString();
            };
        } catch (JsonProcessingException ours) {
            throw new IllegalStateException(ours);
        }
    }

    private String truncated(String json) {
        return json.substring(0, random.nextInt(json.length() + 1));
    }

    /** One to three changes, each anywhere. */
    private JsonNode changed(JsonNode good) {
        JsonNode tree = good;
        for (int change = 0; change <= random.nextInt(3); change++) {
            tree = changeOne(tree);
        }
        return tree;
    }

    private JsonNode changeOne(JsonNode tree) {
        if (tree instanceof ObjectNode object && !object.isEmpty() && random.nextInt(8) > 0) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            String name = names.get(random.nextInt(names.size()));
            if (random.nextInt(6) == 0) {
                object.remove(name);
            } else {
                object.set(name, changeOne(object.get(name)));
            }
            return object;
        }
        if (tree instanceof ArrayNode array && !array.isEmpty() && random.nextInt(4) > 0) {
            int at = random.nextInt(array.size());
            array.set(at, changeOne(array.get(at)));
            return array;
        }
        return tree.isTextual() && random.nextBoolean() ? near(tree.textValue()) : strange();
    }

    /** A text node in place of a good text: the same form, other content. */
    private JsonNode near(String text) {
        return NODES.textNode(
                switch (random.nextInt(8)) {
                    case 0 -> text + "\u0000";
                    case 1 -> text + "\ud800";
                    case 2 -> text.substring(0, Math.min(text.length(), 20)).repeat(1 + random.nextInt(1_000));
                    case 3 -> "";
                    case 4 -> "+999999999-12-31T23:59:59.999999999Z";
                    case 5 -> "-999999999-01-01T00:00:00Z";
                    case 6 -> "999999999999999999.999999999";
                    default ->
                        List.of("BUSY", "CLOSED", "UNKNOWN", "PENDING", "FILLED", "REJECTED", "risk", "0", "-1")
                                .get(random.nextInt(9));
                });
    }

    private JsonNode strange() {
        return switch (random.nextInt(14)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.numberNode(Long.MAX_VALUE - random.nextInt(2));
            case 3 -> NODES.numberNode(Long.MIN_VALUE);
            case 4 -> NODES.numberNode(-1 - random.nextInt(10));
            case 5 -> NODES.numberNode(BigInteger.TEN.pow(50));
            case 6 -> NODES.numberNode(new BigDecimal("1e999999"));
            case 7 -> NODES.numberNode(random.nextInt());
            case 8 -> NODES.numberNode(random.nextDouble());
            case 9 -> NODES.textNode("GARBAGE");
            case 10 -> NODES.textNode("x".repeat(100_000));
            case 11 -> NODES.objectNode();
            case 12 -> NODES.arrayNode().add(NODES.nullNode());
            default -> NODES.objectNode().put("outcome", "found").put("epoch", random.nextLong());
        };
    }
}
