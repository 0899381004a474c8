package dev.berth.api.order;

import dev.berth.workflows.order.OrderState;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/** Steps as server-sent events; the id of each is its revision. */
final class EventStream implements LiveLog.Listener {
    private final OutputStream out;
    private final JsonMapper json;

    private EventStream(OutputStream out, JsonMapper json) {
        this.out = out;
        this.json = json;
    }

    /** Begins the answer: its client knows at once that it listens. */
    static EventStream open(HttpServletResponse answer, JsonMapper json) throws IOException {
        answer.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        answer.setHeader("Cache-Control", "no-store");
        // Or nginx keeps events until it has a buffer full of them.
        answer.setHeader("X-Accel-Buffering", "no");
        answer.flushBuffer();
        return new EventStream(answer.getOutputStream(), json);
    }

    @Override
    public void step(OrderState step) throws IOException {
        write("id: " + step.revision() + "\ndata: " + json.writeValueAsString(OrderStep.of(step)) + "\n\n");
    }

    @Override
    public void heartbeat() throws IOException {
        write(": nothing new\n\n");
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
