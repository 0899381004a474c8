package dev.berth.rest.stream;

import dev.berth.process.settings.BerthSettings;
import dev.berth.rest.CallerId;
import dev.berth.rest.Problem;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.rest.websocket.WebSocketKind;
import dev.berth.rest.websocket.WebSockets;
import dev.berth.workflows.UserId;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Everything that happens to a user's orders and worker, as a WebSocket. */
@RestController
@Tag(name = "orders")
class StreamController {
    private static final int MAX_MESSAGE_BYTES = 1024;

    private final UserStreams streams;
    private final WebSockets sockets;
    private final WebSocketKind kind;

    StreamController(UserStreams streams, WebSockets sockets, BerthSettings settings) {
        this.streams = streams;
        this.sockets = sockets;
        this.kind = new WebSocketKind(
                "stream", settings.streams().maxPerUser(), settings.streams().max(), MAX_MESSAGE_BYTES);
    }

    @GetMapping("/v1/stream")
    @Operation(
            summary = "My orders, fills and worker, live",
            description = "A WebSocket; docs/asyncapi.yaml describes its messages. after is the position of the last"
                    + " message that was handled: the stream continues behind it, at any replica, without a gap or a"
                    + " repeat. Without it the stream begins now; 0 begins with the first order.")
    @OperationResponses(
            status = HttpStatus.SWITCHING_PROTOCOLS,
            problems = {Problem.UPGRADE_REQUIRED, Problem.TOO_MANY_STREAMS, Problem.STREAMS_EXHAUSTED})
    void open(
            @AuthenticationPrincipal Jwt token,
            @RequestParam Optional<Long> after,
            HttpServletRequest request,
            HttpServletResponse answer)
            throws IOException {
        UserId userId = CallerId.of(token);
        after.ifPresent(position -> check(userId, position));
        UserStream stream = new UserStream(streams, userId, after.orElse(0L), after.isPresent());
        sockets.open(request, answer, userId, CallerId.expiry(token), kind, stream);
    }

    /** A position of another user's stream, or of a database that has since been restored. */
    private void check(UserId userId, long position) {
        if (position < 0 || (position > 0 && position > streams.log().last(userId))) {
            throw Problem.INVALID_REQUEST.because(
                    "after is the position of a message of your own stream. Connect without it, or with 0.");
        }
    }
}
