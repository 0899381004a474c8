package dev.berth.rest.account;

import dev.berth.activities.broker.PlainCredentials;
import dev.berth.activities.broker.Secret;
import dev.berth.rest.Problem;
import dev.berth.workflows.remote.RemoteCall;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The body that stores credentials. Prints as empty text, since frameworks log bodies. */
record NewCredentials(
        @Schema(requiredMode = Schema.RequiredMode.REQUIRED, pattern = "^[!-~]{1,256}$", example = "PKTEST1234567890")
        @Nullable
        String keyId,

        @Schema(
                requiredMode = Schema.RequiredMode.REQUIRED,
                type = "string",
                format = "password",
                pattern = "^[!-~]{1,512}$",
                accessMode = Schema.AccessMode.WRITE_ONLY)
        @Nullable
        Secret secret) {

    /** Stands for the credentials of a broker on the customer's machine: Berth has none. */
    private static final String NONE = "remote";

    /**
     * The checked credentials for an account of a broker.
     *
     * @throws Problem.Refusal with the first error, without the values
     */
    PlainCredentials checked(String broker) {
        if (!broker.equals(RemoteCall.BROKER)) {
            return checked();
        }
        if (keyId != null || secret != null) {
            throw Problem.INVALID_ACCOUNT.because(
                    "A remote account has no credentials here: they stay on your machine. Send {}.");
        }
        return new PlainCredentials(NONE, new Secret(NONE));
    }

    /**
     * The checked credentials.
     *
     * @throws Problem.Refusal with the first error, without the values
     */
    private PlainCredentials checked() {
        if (keyId == null) {
            throw Problem.INVALID_ACCOUNT.because("keyId is missing.");
        }
        if (secret == null) {
            throw Problem.INVALID_ACCOUNT.because("secret is missing.");
        }
        try {
            return new PlainCredentials(keyId, secret);
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_ACCOUNT.because(String.valueOf(invalid.getMessage()));
        }
    }

    @Override
    public String toString() {
        return "";
    }
}
