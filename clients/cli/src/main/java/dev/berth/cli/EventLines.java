package dev.berth.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Shows server-sent events: one line a step of an order, as each arrives. */
final class EventLines {
    private static final String DATA = "data:";

    private EventLines() {}

    static void show(InputStream events, Output output) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(DATA)) {
                    output.show(line.substring(DATA.length()).strip(), OrderFormatter::step);
                }
            }
        } catch (IOException broken) {
            throw CommandFailure.failed("the stream broke; follow it again.");
        }
    }
}
