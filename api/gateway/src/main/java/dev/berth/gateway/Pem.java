package dev.berth.gateway;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Keys and certificates as text. */
final class Pem {
    static final String CERTIFICATE = "CERTIFICATE";
    /** PKCS #8. */
    static final String PRIVATE_KEY = "PRIVATE KEY";

    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private Pem() {}

    static String encode(String type, byte[] content) {
        return begin(type) + "\n" + LINES.encodeToString(content) + "\n" + end(type) + "\n";
    }

    /**
     * The first entry of that type.
     *
     * @throws IllegalArgumentException when there is none; repeats nothing of the text
     */
    static byte[] decode(String type, String text) {
        int from = text.indexOf(begin(type));
        int to = text.indexOf(end(type));
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("no " + type + " in PEM form");
        }
        return Base64.getMimeDecoder()
                .decode(text.substring(from + begin(type).length(), to).getBytes(StandardCharsets.US_ASCII));
    }

    private static String begin(String type) {
        return "-----BEGIN " + type + "-----";
    }

    private static String end(String type) {
        return "-----END " + type + "-----";
    }
}
