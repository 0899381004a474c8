package dev.berth.rest.identity;

import dev.berth.process.settings.AuthOptions;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.converter.Converter;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.MappedJwtClaimSetConverter;

/**
 * Writes what the settings find in a token into the three claims that Berth reads: {@code sub} is
 * the name of the subject, {@code scope} has the granted scopes of Berth as words, and {@code aud}
 * is the audience. What the token itself has there counts no more than any other claim.
 */
public final class TokenClaims implements Converter<Map<String, Object>, Map<String, Object>> {
    /** The claim with the granted scopes. */
    public static final String SCOPE = "scope";

    private static final Pattern ROUNDED = Pattern.compile("-?\\d\\.\\d+E\\d+");

    private final AuthOptions options;
    private final RoleScopes roles;
    private final Converter<Map<String, Object>, Map<String, Object>> types =
            MappedJwtClaimSetConverter.withDefaults(Map.of());

    /** @throws IllegalArgumentException when the roles of the settings make no sense */
    public TokenClaims(AuthOptions options) {
        this.options = options;
        this.roles = new RoleScopes(options.roles());
    }

    @Override
    public Map<String, Object> convert(Map<String, Object> token) {
        Set<String> granted = new LinkedHashSet<>();
        for (String claim : options.scopeClaim()) {
            Object words = find(token, claim);
            if (words != null) {
                granted.addAll(roles.granted(words));
            }
        }
        Map<String, Object> claims = new HashMap<>(token);
        claims.put(SCOPE, String.join(" ", granted));
        put(claims, JwtClaimNames.AUD, find(token, options.audienceClaim()));
        put(claims, JwtClaimNames.SUB, subject(find(token, options.userClaim())));
        return types.convert(claims);
    }

    /** The library has made a text of a number in {@code sub}, and two of one if they are long. */
    private static @Nullable String subject(@Nullable Object name) {
        return name instanceof String text && !ROUNDED.matcher(text).matches() ? text : null;
    }

    private static void put(Map<String, Object> claims, String name, @Nullable Object value) {
        if (value == null) {
            claims.remove(name);
        } else {
            claims.put(name, value);
        }
    }

    /** A literal name is found before a path, at each level. */
    private static @Nullable Object find(Map<?, ?> claims, String path) {
        Object literal = claims.get(path);
        for (int dot = path.lastIndexOf('.'); literal == null && dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
            if (claims.get(path.substring(0, dot)) instanceof Map<?, ?> nested) {
                literal = find(nested, path.substring(dot + 1));
            }
        }
        return literal;
    }
}
