package dev.berth.workflows.broker;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of an account's credentials at one broker; none when they stay with the customer. */
public record CredentialSchema(List<CredentialField> fields) {
    /** Encrypted and in Base64 it is less than the 64 KiB of a secret in AWS. */
    static final int MOST_BYTES = 32 * 1024;

    public CredentialSchema {
        fields = List.copyOf(fields);
    }

    /** As JSON schema, of the body that stores credentials. */
    public Map<String, Object> json() {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (CredentialField field : fields) {
            Map<String, Object> property = new LinkedHashMap<>(field.form().schema());
            property.put("description", field.description());
            property.put("writeOnly", field.secret());
            properties.put(field.name(), property);
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put(
                "required",
                fields.stream()
                        .filter(CredentialField::required)
                        .map(CredentialField::name)
                        .toList());
        schema.put(
                "dependentRequired",
                fields.stream()
                        .filter(field -> field.needs() != null)
                        .collect(toMap(CredentialField::name, field -> List.of(String.valueOf(field.needs())))));
        schema.put("additionalProperties", false);
        return schema;
    }

    /**
     * Checks credentials.
     *
     * @param given the values as JSON has them; null is an absent one
     * @return the fields that are there, each as text
     * @throws IllegalArgumentException with the first error; it names the field, and repeats
     *     neither a value nor a name that is unknown, which may be a value
     */
    public Map<String, String> read(Map<String, ? extends @Nullable Object> given) {
        requireKnown(List.copyOf(given.keySet()));
        Map<String, String> values = new LinkedHashMap<>();
        for (CredentialField field : fields) {
            Object value = given.get(field.name());
            if (value != null) {
                values.put(field.name(), read(field, value));
            } else if (field.required()) {
                throw new IllegalArgumentException(field.name() + " is missing.");
            }
        }
        fields.forEach(field -> requireNeeded(field, values));
        int bytes = values.values().stream()
                .mapToInt(value -> value.getBytes(StandardCharsets.UTF_8).length)
                .sum();
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException("All fields together have at most 32 KiB.");
        }
        return values;
    }

    private static void requireNeeded(CredentialField field, Map<String, String> values) {
        String value = values.get(field.name());
        if (value == null || field.needs() == null) {
            return;
        }
        String needed = values.get(field.needs());
        if (needed == null) {
            throw new IllegalArgumentException(field.needs() + " is missing: " + field.name() + " needs it.");
        }
        if (field.form().equals(CredentialForm.PRIVATE_KEY) && !CredentialPem.isPair(needed, value)) {
            throw new IllegalArgumentException(
                    field.name() + " is not the key of the first certificate in " + field.needs() + ".");
        }
    }

    private void requireKnown(List<String> names) {
        for (int index = 0; index < names.size(); index++) {
            String name = names.get(index);
            if (fields.stream().noneMatch(field -> field.name().equals(name))) {
                String known = fields.isEmpty()
                        ? "An account of this broker has no credentials here. Send {}."
                        : "Fields: "
                                + fields.stream().map(CredentialField::name).collect(joining(", ")) + ".";
                throw new IllegalArgumentException("Field " + (index + 1) + " of the body is unknown. " + known);
            }
        }
    }

    private static String read(CredentialField field, Object value) {
        if (!field.form().check().test(value)) {
            throw new IllegalArgumentException(
                    field.name() + " is " + field.form().words() + ".");
        }
        return value.toString();
    }
}
