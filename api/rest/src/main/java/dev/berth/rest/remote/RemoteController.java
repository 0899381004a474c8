package dev.berth.rest.remote;

import dev.berth.rest.CallerId;
import dev.berth.rest.Problem;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.rest.websocket.WebSocketKind;
import dev.berth.rest.websocket.WebSockets;
import dev.berth.workflows.UserId;
import dev.berth.workflows.remote.RemoteCall;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Where a customer's machine connects. */
@RestController
@Tag(name = "accounts")
class RemoteController {
    private static final WebSocketKind KIND = new WebSocketKind(
            "remote", RemoteLimits.CONNECTIONS_PER_USER, RemoteLimits.CONNECTIONS, RemoteCall.MAX_FRAME_BYTES);

    private final WebSockets sockets;
    private final RemoteConnections connections;

    RemoteController(WebSockets sockets, RemoteConnections connections) {
        this.sockets = sockets;
        this.connections = connections;
    }

    @GetMapping("/v1/remote")
    @Operation(
            summary = "Serve my remote accounts from this machine",
            description = "A WebSocket for the SDKs; docs/remote.md describes its frames.")
    @OperationResponses(
            status = HttpStatus.SWITCHING_PROTOCOLS,
            problems = {Problem.UPGRADE_REQUIRED, Problem.TOO_MANY_STREAMS, Problem.STREAMS_EXHAUSTED})
    void connect(@AuthenticationPrincipal Jwt token, HttpServletRequest request, HttpServletResponse answer)
            throws IOException {
        UserId userId = CallerId.of(token);
        RemoteConnection connection = new RemoteConnection(userId, connections);
        sockets.open(request, answer, userId, CallerId.expiry(token), KIND, connection);
    }
}
