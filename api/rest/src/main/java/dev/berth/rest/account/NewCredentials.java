package dev.berth.rest.account;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.berth.activities.broker.PlainCredentials;
import dev.berth.rest.Problem;
import dev.berth.rest.broker.Brokers;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body that stores credentials. Prints as empty text and has no property that JSON could
 * write, since frameworks log bodies.
 */
@Schema(
        type = "object",
        description = "The fields of the broker: credentials in GET /v1/brokers is their JSON schema.",
        example = "{\"keyId\": \"PKTEST1234567890\", \"secret\": \"…\"}")
final class NewCredentials {
    private final Map<String, @Nullable Object> fields;

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    NewCredentials(Map<String, @Nullable Object> fields) {
        this.fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /**
     * The checked credentials for an account of a broker.
     *
     * @throws Problem.Refusal with the first error, without the values
     */
    PlainCredentials checked(String broker) {
        try {
            return new PlainCredentials(Brokers.require(broker).credentials().read(fields));
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_ACCOUNT.because(String.valueOf(invalid.getMessage()));
        }
    }

    @Override
    public String toString() {
        return "";
    }
}
