package dev.berth.rest.order;

import dev.berth.workflows.order.OrderState;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/** Writes order steps as server-sent events. The event id is the revision. */
final class EventStream implements LiveOrderLog.StepListener {
    private final OutputStream out;
    private final JsonMapper json;

    private EventStream(OutputStream out, JsonMapper json) {
        this.out = out;
        this.json = json;
    }

    /** Sends the headers, so that the client knows that the stream is open. */
    static EventStream open(HttpServletResponse answer, JsonMapper json) throws IOException {
        answer.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        answer.setHeader("Cache-Control", "no-store");
        // Otherwise nginx buffers events.
        answer.setHeader("X-Accel-Buffering", "no");
        answer.flushBuffer();
        return new EventStream(answer.getOutputStream(), json);
    }

    /** An event without an id. */
    void data(Object content) throws IOException {
        write("data: " + json.writeValueAsString(content) + "\n\n");
    }

    @Override
    public void step(OrderState step) throws IOException {
        write("id: " + step.revision() + "\ndata: " + json.writeValueAsString(OrderStep.of(step)) + "\n\n");
    }

    @Override
    public void heartbeat() throws IOException {
        write(": heartbeat\n\n");
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
