package dev.berth.workflows.broker;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.Checkout;
import dev.berth.workflows.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code docs/brokers.md} beside the code. */
@Tag("Y8")
class BrokersPageTest {
    private static final Path PAGE = Checkout.ROOT.resolve("docs/brokers.md");
    private static final String END = "<!-- generated above -->";

    @Test
    @DisplayName("The tables are those of the code: -Dberth.record-brokers=true writes them")
    void tablesAreThoseOfTheCode() throws IOException {
        String page = Files.readString(PAGE);
        String intro = page.substring(0, page.indexOf("## "));
        String rest = page.substring(page.indexOf(END));
        String generated = intro + tables() + rest;
        if (Boolean.getBoolean("berth.record-brokers")) {
            Files.writeString(PAGE, generated);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(generated);
    }

    private static String tables() {
        StringBuilder text = new StringBuilder();
        for (BrokerCapabilities broker : ServedBrokers.ALL) {
            text.append("## ").append(broker.broker()).append("\n\n");
            List<String> head = new ArrayList<>(List.of(""));
            broker.assetClasses().forEach(can -> head.add(can.assetClass().word()));
            text.append(row(head)).append("|---".repeat(head.size())).append("|\n");
            append(text, broker, "order types", AssetCapabilities::orderTypes);
            append(text, broker, "times in force", AssetCapabilities::timesInForce);
            append(text, broker, "order classes", AssetCapabilities::orderClasses);
            append(text, broker, "fractional quantity", AssetCapabilities::fractional);
            append(text, broker, "amount of money", AssetCapabilities::notional);
            append(text, broker, "extended hours", AssetCapabilities::extendedHours);
            append(text, broker, "replace", AssetCapabilities::replace);
            append(text, broker, "cancel all with one request", AssetCapabilities::massCancel);
            append(text, broker, "reads of the account", AssetCapabilities::reads);
            append(text, broker, "reports by itself", AssetCapabilities::streams);
            append(text, broker, "a quantity of 1 is", AssetCapabilities::quantityUnit);
            text.append("\nIdentity of an order: ").append(text(broker.identity()));
            text.append(". Credentials: ").append(credentials(broker));
            BrokerCapabilities.Proof proof = broker.proof();
            text.append(". Proven with: ")
                    .append(text(proof.kind()))
                    .append(", ")
                    .append(proof.date());
            text.append(", ").append(proof.version()).append(".\n\n");
        }
        return text.toString();
    }

    private interface Capability {
        Object of(AssetCapabilities can);
    }

    private static void append(StringBuilder text, BrokerCapabilities broker, String name, Capability capability) {
        List<String> cells = new ArrayList<>(List.of(name));
        broker.assetClasses().forEach(can -> cells.add(text(capability.of(can))));
        text.append(row(cells));
    }

    private static String row(List<String> cells) {
        return cells.stream().collect(joining(" | ", "| ", " |\n"));
    }

    /** As the API writes it. */
    private static String text(Object value) {
        if (value instanceof Collection<?> many) {
            return many.isEmpty()
                    ? "none"
                    : many.stream().map(BrokersPageTest::text).collect(joining(", "));
        }
        return switch (value) {
            case Boolean yes -> yes ? "yes" : "no";
            case Enum<?> word -> Json.write(word).replace("\"", "");
            default -> value.toString();
        };
    }

    private static String credentials(BrokerCapabilities broker) {
        List<CredentialField> fields = broker.credentials().fields();
        String required = names(fields, true);
        String optional = names(fields, false);
        return (required.isEmpty() ? "none" : required) + (optional.isEmpty() ? "" : "; may have " + optional);
    }

    private static String names(List<CredentialField> fields, boolean required) {
        return fields.stream()
                .filter(field -> field.required() == required)
                .map(field -> "`" + field.name() + "`")
                .collect(joining(", "));
    }
}
