package dev.berth.rest.codec;

import dev.berth.rest.Problem;
import dev.berth.rest.Scope;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Signs a person in for the Web UI, which calls the codec from the person's browser. The token
 * becomes a cookie that no script can read and that is sent to the codec alone.
 */
@RestController
@Hidden
public class CodecSession {
    public static final String SIGN_IN = "/codec/sign-in";

    /** Browsers drop a cookie whose name and value have more than 4,096 bytes (RFC 6265, 6.1). */
    private static final int LONGEST_TOKEN = 4000;

    private static final String COOKIE = "berth-codec";
    private static final String PAGE = """
            <!doctype html><meta charset="utf-8"><title>Berth: decode payloads</title>
            <body style="font-family: sans-serif; max-width: 40em; margin: 3em auto">
            <h1>Decode payloads</h1>
            <form method="post"><label>Token with the scope codec:read<br>
            <input name="token" type="password" size="60" autocomplete="off" required></label>
            <button>Sign in</button></form>
            <p>Then, in Temporal's Web UI, open the glasses at the top, choose "Use my browser setting",
            write the address of this page without <code>/sign-in</code>, switch
            "Include cross-origin credentials" on, and apply.</p></body>
            """;

    private final JwtDecoder tokens;

    CodecSession(JwtDecoder tokens) {
        this.tokens = tokens;
    }

    @GetMapping(path = SIGN_IN, produces = MediaType.TEXT_HTML_VALUE)
    ResponseEntity<String> page() {
        return ResponseEntity.ok()
                .header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'")
                .body(PAGE);
    }

    @PostMapping(
            path = SIGN_IN,
            consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE,
            produces = MediaType.TEXT_PLAIN_VALUE)
    ResponseEntity<String> signIn(@RequestParam String token, HttpServletRequest request) {
        requireOwnPage(request);
        if (token.length() > LONGEST_TOKEN) {
            throw Problem.INVALID_REQUEST.because("The token has more than " + LONGEST_TOKEN
                    + " characters, and no browser keeps it. Ask for one with fewer groups or roles.");
        }
        ResponseCookie cookie = ResponseCookie.from(COOKIE, token)
                .httpOnly(true)
                .secure(request.isSecure() || !isThisMachine(request))
                .sameSite("Strict")
                .path("/codec")
                .maxAge(timeLeft(token))
                .build();
        return ResponseEntity.ok()
                .header(HttpHeaders.SET_COOKIE, cookie.toString())
                .body("Signed in. Go back to the Web UI and load the page again.\n");
    }

    /** A form of another site must not sign a person in with its token. Browsers name the site. */
    private static void requireOwnPage(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin")) {
            throw Problem.FORBIDDEN.because("Sign in at the page " + SIGN_IN + " itself.");
        }
    }

    /** Elsewhere the browser speaks TLS, though a balancer may end it before this process. */
    private static boolean isThisMachine(HttpServletRequest request) {
        return List.of("localhost", "127.0.0.1", "[::1]", "0:0:0:0:0:0:0:1").contains(request.getServerName());
    }

    private Duration timeLeft(String token) {
        try {
            Jwt valid = tokens.decode(token);
            if (Scope.granted(valid).contains(Scope.CODEC_READ)) {
                return Duration.between(Instant.now(), Objects.requireNonNull(valid.getExpiresAt()));
            }
        } catch (BadJwtException invalid) {
            throw Problem.UNAUTHENTICATED.because("The token is not valid, or has expired.");
        } catch (JwtException keysAreUnavailable) {
            throw Problem.UNAVAILABLE.because("The keys of the identity provider cannot be read. Try again.");
        }
        throw Problem.FORBIDDEN.because("Sign in with a token that has the scope " + Scope.CODEC_READ + ".");
    }

    /** The token of the cookie, for a call of the codec. */
    public static @Nullable String tokenOf(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        return cookies == null || !isCodec(request)
                ? null
                : Stream.of(cookies)
                        .filter(cookie -> cookie.getName().equals(COOKIE))
                        .map(Cookie::getValue)
                        .findFirst()
                        .orElse(null);
    }

    /** Whether the call is one of the codec, whose bodies are large. */
    public static boolean isCodec(HttpServletRequest request) {
        return request.getRequestURI().startsWith("/codec/");
    }
}
