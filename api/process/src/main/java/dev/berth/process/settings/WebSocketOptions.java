package dev.berth.process.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How WebSockets are kept.
 *
 * @param ping how often a client is pinged; after two pings without a pong the connection is closed
 * @param slowAfter how long one message may take to be written
 */
public record WebSocketOptions(
        @DefaultValue("PT15S") Duration ping,
        @DefaultValue("PT10S") Duration slowAfter) {
    public WebSocketOptions {
        if (!ping.isPositive() || !slowAfter.isPositive()) {
            throw new IllegalArgumentException(
                    "berth.web-socket.ping and berth.web-socket.slow-after must be longer than zero.");
        }
    }
}
