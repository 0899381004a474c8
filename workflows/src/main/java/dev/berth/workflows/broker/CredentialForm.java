package dev.berth.workflows.broker;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What a field of credentials may hold.
 *
 * @param schema keywords of JSON schema
 * @param words such as "a whole number from 1 to 65535"
 * @param check of a value as JSON has it
 */
public record CredentialForm(Map<String, Object> schema, String words, Predicate<Object> check) {
    static final CredentialForm KEY_ID = printable(256);
    /** Fits a header of HTTP. */
    static final CredentialForm SECRET = printable(512);

    static final CredentialForm NAME = printable(64);
    static final CredentialForm HOST = text("^[A-Za-z0-9.-]{1,253}$", "a host name or an IPv4 address");
    static final CredentialForm PORT = new CredentialForm(
            Map.of("type", "integer", "minimum", 1, "maximum", 65_535),
            "a whole number from 1 to 65535",
            value -> value instanceof Integer port && port >= 1 && port <= 65_535);
    static final CredentialForm SWITCH =
            new CredentialForm(Map.of("type", "boolean"), "true or false", Boolean.class::isInstance);
    static final CredentialForm CERTIFICATES =
            pem("CERTIFICATE", "one or more X.509 certificates in PEM, of at most 16 KiB", CredentialPem::certificates);
    static final CredentialForm PRIVATE_KEY = pem(
            "PRIVATE KEY",
            "a private key in PEM, PKCS #8 without a password (openssl pkcs8 -topk8 -nocrypt)",
            CredentialPem::privateKey);

    public CredentialForm {
        schema = Map.copyOf(schema);
    }

    private static CredentialForm printable(int most) {
        return text("^[!-~]{1," + most + "}$", "1 to " + most + " printable ASCII characters without spaces");
    }

    private static CredentialForm text(String pattern, String words) {
        Pattern form = Pattern.compile(pattern);
        return new CredentialForm(
                Map.of("type", "string", "pattern", pattern),
                words,
                value -> value instanceof String text && form.matcher(text).matches());
    }

    private static CredentialForm pem(String type, String words, Consumer<String> parser) {
        CredentialForm form = text("^\\s*-----BEGIN " + type + "-----[\\s\\S]*-----END " + type + "-----\\s*$", words);
        return new CredentialForm(
                Map.of(
                        "type",
                        "string",
                        "maxLength",
                        CredentialPem.LONGEST,
                        "pattern",
                        String.valueOf(form.schema().get("pattern"))),
                words,
                value -> form.check().test(value)
                        && value.toString().length() <= CredentialPem.LONGEST
                        && isParsed(parser, value.toString()));
    }

    private static boolean isParsed(Consumer<String> parser, String text) {
        try {
            parser.accept(text);
            return true;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
