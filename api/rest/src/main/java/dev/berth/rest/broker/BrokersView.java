package dev.berth.rest.broker;

import dev.berth.workflows.broker.AssetCapabilities;
import dev.berth.workflows.broker.BrokerCapabilities;
import dev.berth.workflows.broker.CredentialField;
import dev.berth.workflows.broker.OrderIdentity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The answer of {@code GET /v1/brokers}. */
record BrokersView(List<BrokerView> items) {
    /**
     * One broker.
     *
     * @param credentials a JSON schema of the body that stores an account's credentials
     */
    record BrokerView(
            String broker,
            List<AssetCapabilities> assetClasses,
            OrderIdentity identity,
            Map<String, Object> credentials,
            BrokerCapabilities.Proof proof) {
        static BrokerView of(BrokerCapabilities served) {
            return new BrokerView(
                    served.broker(),
                    served.assetClasses(),
                    served.identity(),
                    schema(served.credentials()),
                    served.proof());
        }

        private static Map<String, Object> schema(List<CredentialField> fields) {
            Map<String, Object> properties = new LinkedHashMap<>();
            fields.forEach(field -> properties.put(
                    field.name(),
                    Map.of(
                            "type", "string",
                            "description", field.description(),
                            "pattern", field.pattern(),
                            "writeOnly", field.secret())));
            return Map.of(
                    "type",
                    "object",
                    "properties",
                    properties,
                    "required",
                    fields.stream().map(CredentialField::name).toList(),
                    "additionalProperties",
                    false);
        }
    }
}
