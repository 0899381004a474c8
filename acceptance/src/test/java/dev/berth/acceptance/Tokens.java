package dev.berth.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Tokens that {@code berth token} would not make, signed with the stack's own key. */
record Tokens(Stack stack) {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    /** @param validFor negative for one that has expired */
    String sign(String subject, Duration validFor) throws IOException, GeneralSecurityException {
        Instant now = Instant.now();
        long end = now.plus(validFor).getEpochSecond();
        long begin = Math.min(end, now.getEpochSecond()) - 60;
        String claims = "{\"sub\":\"%s\",\"iat\":%d,\"exp\":%d}".formatted(subject, begin, end);
        String signed =
                encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(UTF_8)) + "." + encode(claims.getBytes(UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Files.readAllBytes(stack.home().resolve("token.key")), "HmacSHA256"));
        return signed + "." + encode(mac.doFinal(signed.getBytes(UTF_8)));
    }

    private static String encode(byte[] bytes) {
        return BASE64.encodeToString(bytes);
    }
}
