package dev.berth.host.broker;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of one account, by the names of their fields, as the broker's schema has checked
 * them. Prints as nothing, so that no log shows them.
 */
public record BrokerCredentials(Map<String, String> fields) {
    private static final String KEY_ID = "keyId";
    private static final String SECRET = "secret";
    /** Valid in HTTP headers: the JDK's client would quote others in its exception. */
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,512}");

    public BrokerCredentials {
        fields = Map.copyOf(fields);
        if (!isValid(fields.get(KEY_ID)) || !isValid(fields.get(SECRET))) {
            throw new IllegalArgumentException("keyId and secret are printable ASCII characters without spaces.");
        }
    }

    /** Of a broker that takes nothing but a key. */
    public BrokerCredentials(String keyId, String secret) {
        this(Map.of(KEY_ID, keyId, SECRET, secret));
    }

    private static boolean isValid(@Nullable String text) {
        return text == null || FORM.matcher(text).matches();
    }

    /** Of a broker that takes a key. */
    public String keyId() {
        return require(KEY_ID);
    }

    /** Of a broker that takes a key. */
    public String secret() {
        return require(SECRET);
    }

    private String require(String name) {
        return field(name).orElseThrow(() -> new IllegalArgumentException("the credentials have no " + name));
    }

    /** Empty when the account does not say. */
    public Optional<String> field(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    @Override
    public String toString() {
        return "";
    }
}
