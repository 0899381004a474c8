package dev.berth.workflows.broker;

import org.jspecify.annotations.Nullable;

/**
 * One field of the credentials of an account.
 *
 * @param secret whether the value is never shown again
 * @param needs another field without which this one says nothing
 */
public record CredentialField(
        String name,
        String description,
        CredentialForm form,
        boolean secret,
        boolean required,
        @Nullable String needs) {
    static CredentialField required(String name, CredentialForm form, String description) {
        return new CredentialField(name, description, form, false, true, null);
    }

    static CredentialField optional(String name, CredentialForm form, String description) {
        return new CredentialField(name, description, form, false, false, null);
    }

    CredentialField asSecret() {
        return new CredentialField(name, description, form, true, required, needs);
    }

    CredentialField with(String other) {
        return new CredentialField(name, description, form, secret, required, other);
    }
}
