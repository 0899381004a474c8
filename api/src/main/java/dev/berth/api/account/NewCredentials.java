package dev.berth.api.account;

import dev.berth.activities.broker.Credentials;
import dev.berth.activities.broker.Secret;
import dev.berth.api.Problem;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The body that stores credentials. Prints as nothing, since frameworks print what they read. */
record NewCredentials(
        @Schema(example = "PKTEST1234567890") @Nullable String keyId,

        @Schema(type = "string", format = "password", accessMode = Schema.AccessMode.WRITE_ONLY) @Nullable
        Secret secret) {

    /**
     * Both, as a broker could have given them out.
     *
     * @throws Problem.Refusal with the first thing that is wrong, which repeats neither of them
     */
    Credentials checked() {
        if (keyId == null) {
            throw Problem.INVALID_ACCOUNT.because("keyId is missing.");
        }
        if (secret == null) {
            throw Problem.INVALID_ACCOUNT.because("secret is missing.");
        }
        try {
            return new Credentials(keyId, secret);
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_ACCOUNT.because(String.valueOf(invalid.getMessage()));
        }
    }

    @Override
    public String toString() {
        return "";
    }
}
