package dev.berth.rest.websocket;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A token as the WebSocket subprotocol {@code bearer.TOKEN}: browsers can set no header. */
public final class BearerProtocol {
    /** A client that offers this one too gets it, so that no answer repeats its token. */
    static final String NAME = "berth";

    private static final String HEADER = "Sec-WebSocket-Protocol";
    private static final String PREFIX = "bearer.";

    private BearerProtocol() {}

    private static List<String> offered(HttpServletRequest request) {
        return Collections.list(request.getHeaders(HEADER)).stream()
                .flatMap(header -> Stream.of(header.split(",")))
                .map(String::strip)
                .toList();
    }

    /** The token of a handshake; empty for other requests. */
    public static Optional<String> token(HttpServletRequest request) {
        return isHandshake(request)
                ? offered(request).stream()
                        .filter(protocol -> protocol.startsWith(PREFIX))
                        .map(protocol -> protocol.substring(PREFIX.length()))
                        .findFirst()
                : Optional.empty();
    }

    static boolean isHandshake(HttpServletRequest request) {
        return "websocket".equalsIgnoreCase(request.getHeader("Upgrade"));
    }

    /** What the server chooses: a browser gives up when it offered some and gets none. */
    static Optional<String> choice(List<String> offered) {
        return offered.contains(NAME)
                ? Optional.of(NAME)
                : offered.stream()
                        .filter(protocol -> protocol.startsWith(PREFIX))
                        .findFirst();
    }
}
