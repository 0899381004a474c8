package dev.berth.process.settings;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How callers prove who they are. A claim is named literally, or by a path with dots through the
 * objects of a token, such as {@code realm_access.roles}.
 *
 * @param keyFile a file with the HMAC key of the tokens; with it no identity provider is asked
 * @param issuer {@code iss} of every token, the address of the OpenID Connect provider
 * @param jwksUri the provider's keys; without it they are found by its discovery document
 * @param audience one of these is in every token
 * @param audienceClaim where
 * @param userClaim the claim that names the user
 * @param scopeClaim the claims with scopes or roles, as words or as a list; all of them count
 * @param roles the scopes of each role, such as {@code trader=orders:read orders:trade}; REST reads
 *     them when it starts
 */
public record AuthOptions(
        @Nullable Path keyFile,
        @DefaultValue("berth-local") @NotBlank String issuer,
        @Nullable URI jwksUri,
        @DefaultValue("berth") @NotEmpty Set<@NotBlank String> audience,
        @DefaultValue("aud") @NotBlank String audienceClaim,
        @DefaultValue("sub") @NotBlank String userClaim,
        @DefaultValue({"scope", "scp"}) @NotEmpty List<@NotBlank String> scopeClaim,
        @DefaultValue("") String roles) {

    public AuthOptions {
        if (keyFile == null && !issuer.startsWith("https://") && jwksUri == null) {
            throw new IllegalArgumentException("Set berth.auth.issuer to the https address of the OpenID Connect"
                    + " provider, or berth.auth.key-file to a file with the HMAC key of the tokens (mode 600).");
        }
    }
}
