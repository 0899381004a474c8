package dev.berth.temporal.tracing;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A receiver of OTLP over HTTP that keeps the spans it gets. */
public final class OtlpReceiver implements AutoCloseable {
    /**
     * A span as it arrived.
     *
     * @param parentId empty for the first span of a trace
     */
    public record ReceivedSpan(
            String service,
            String traceId,
            String spanId,
            String parentId,
            String name,
            Duration length,
            boolean failed,
            Map<String, String> attributes) {}

    private final HttpServer server;
    private final List<ReceivedSpan> spans = new CopyOnWriteArrayList<>();

    public OtlpReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::receive);
        server.start();
    }

    /** For {@code BERTH_OTLP_ENDPOINT}. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** The spans of one trace. */
    public List<ReceivedSpan> trace(String traceId) {
        return spans.stream().filter(span -> span.traceId().equals(traceId)).toList();
    }

    private void receive(HttpExchange call) throws IOException {
        for (Fields resource : Fields.of(call.getRequestBody().readAllBytes()).all(1)) {
            String service = attributes(resource.one(1), 1).getOrDefault("service.name", "");
            resource.all(2).forEach(scope -> scope.all(2).forEach(span -> spans.add(span(service, span))));
        }
        call.getResponseHeaders().add("Content-Type", "application/x-protobuf");
        call.sendResponseHeaders(200, -1);
        call.close();
    }

    private static ReceivedSpan span(String service, Fields span) {
        return new ReceivedSpan(
                service,
                span.hex(1),
                span.hex(2),
                span.hex(4),
                span.text(5),
                Duration.ofNanos(span.fixed(8) - span.fixed(7)),
                span.one(15).number(3) == 2,
                attributes(span, 9));
    }

    private static Map<String, String> attributes(Fields owner, int number) {
        Map<String, String> attributes = new HashMap<>();
        owner.all(number)
                .forEach(entry -> attributes.put(entry.text(1), entry.one(2).text(1)));
        return attributes;
    }

    /** The fields of a protobuf message by their numbers in {@code opentelemetry-proto}. */
    private record Fields(UnknownFieldSet fields) {
        static Fields of(byte[] message) throws InvalidProtocolBufferException {
            return new Fields(UnknownFieldSet.parseFrom(message));
        }

        List<Fields> all(int number) {
            return bytes(number).stream().map(Fields::message).toList();
        }

        Fields one(int number) {
            return message(
                    bytes(number).isEmpty() ? ByteString.EMPTY : bytes(number).getFirst());
        }

        String text(int number) {
            return bytes(number).isEmpty() ? "" : bytes(number).getFirst().toStringUtf8();
        }

        String hex(int number) {
            return bytes(number).isEmpty()
                    ? ""
                    : HexFormat.of().formatHex(bytes(number).getFirst().toByteArray());
        }

        long fixed(int number) {
            return fields.getField(number).getFixed64List().getFirst();
        }

        long number(int number) {
            List<Long> values = fields.getField(number).getVarintList();
            return values.isEmpty() ? 0 : values.getFirst();
        }

        private List<ByteString> bytes(int number) {
            return fields.getField(number).getLengthDelimitedList();
        }

        private static Fields message(ByteString bytes) {
            try {
                return of(bytes.toByteArray());
            } catch (InvalidProtocolBufferException notProtobuf) {
                throw new IllegalArgumentException(notProtobuf);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
