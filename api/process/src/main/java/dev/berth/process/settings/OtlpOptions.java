package dev.berth.process.settings;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The export of spans.
 *
 * @param endpoint of a receiver of OTLP over HTTP, such as {@code http://collector:4318}; absent:
 *     nothing is exported
 */
public record OtlpOptions(@Nullable URI endpoint) {
    public OtlpOptions {
        endpoint = endpoint == null || endpoint.toString().isBlank() ? null : endpoint;
    }
}
