package dev.berth.acceptance.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs bearer tokens with the stack's key. */
public record Tokens(Stack stack) {
    /** What {@code berth token} gives a user. */
    public static final String TRADER = "orders:read orders:trade accounts:write";

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final Duration DAY = Duration.ofHours(24);

    /** Signs a token for a day, like {@code berth token} without a process. */
    public String sign(String subject, String scope) throws IOException {
        return sign(subject, scope, DAY);
    }

    /**
     * Signs a JWT.
     *
     * @param scope of the token, as words
     * @param validFor negative for an expired token
     * @throws IOException when the stack was never started and has no key
     */
    public String sign(String subject, String scope, Duration validFor) throws IOException {
        Instant now = Instant.now();
        long end = now.plus(validFor).getEpochSecond();
        long begin = Math.min(end, now.getEpochSecond()) - 60;
        String claims =
                "{\"iss\":\"berth-local\",\"aud\":\"berth\",\"sub\":\"%s\",\"scope\":\"%s\",\"iat\":%s,\"exp\":%s}"
                        .formatted(subject, scope, begin, end);
        String signed =
                encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(UTF_8)) + "." + encode(claims.getBytes(UTF_8));
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Files.readAllBytes(stack.home().resolve("token.key")), "HmacSHA256"));
            return signed + "." + encode(mac.doFinal(signed.getBytes(UTF_8)));
        } catch (GeneralSecurityException missingAlgorithm) {
            throw new IllegalStateException(missingAlgorithm);
        }
    }

    private static String encode(byte[] bytes) {
        return BASE64.encodeToString(bytes);
    }
}
