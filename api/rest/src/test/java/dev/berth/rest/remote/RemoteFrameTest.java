package dev.berth.rest.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workflows.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Frames have the form that the SDKs' tests read and write: clients/frames. */
@Tag("X20")
class RemoteFrameTest {
    private static String golden(String name) throws IOException {
        return Files.readString(Path.of("../../clients/frames", name + ".json"));
    }

    @Test
    @DisplayName("Frames of a machine are read")
    void machinesFramesAreRead() throws IOException {
        assertThat(RemoteFrame.read(golden("hello")))
                .isEqualTo(new RemoteFrame.Hello(
                        1,
                        "6f1c2c1e-7d0b-4a86-9a35-0b7c4f3d2a11",
                        List.of("remote/equity/paper/main"),
                        null,
                        "berth-remote-python/0.1.0"));
        assertThat(RemoteFrame.read(golden("hello-take-over")))
                .isInstanceOfSatisfying(
                        RemoteFrame.Hello.class,
                        hello -> assertThat(hello.takeOver()).isEqualTo(41));
        assertThat(RemoteFrame.read(golden("ping"))).isEqualTo(new RemoteFrame.Ping(5));
        assertThat(RemoteFrame.read(golden("report")))
                .isInstanceOfSatisfying(
                        RemoteFrame.Report.class,
                        report -> assertThat(report.reportId()).isEqualTo(12));
        assertThat(RemoteFrame.read(golden("answer-done")))
                .isEqualTo(new RemoteFrame.Answer("3-8a61c2d5", golden("answer-done")));
    }

    @Test
    @DisplayName("Frames of the server are written")
    void serversFramesAreWritten() throws IOException {
        Instant now = Instant.parse("2026-11-25T03:00:00.125Z");
        assertWritten("registered", new RemoteFrame.Registered(42, 3, now, 10));
        assertWritten("reported", new RemoteFrame.Reported(12));
        assertWritten("refused", new RemoteFrame.Refused(12, "the order is not of this account"));
        assertWritten("goaway", new RemoteFrame.Goaway(RemoteFrame.Goaway.SHUTDOWN, 20));
        assertWritten("pong", new RemoteFrame.Pong(5, now.plusSeconds(10)));
    }

    private static void assertWritten(String name, RemoteFrame.FromServer frame) throws IOException {
        JsonNode written = Json.tree(Json.write(frame));
        assertThat(written).isEqualTo(Json.tree(golden(name)));
    }

    @Test
    @DisplayName("What is no frame of a machine is refused")
    void otherFramesAreRefused() throws IOException {
        for (String frame : List.of("", "[]", "{}", "{\"type\":\"answer\"}", golden("pong"), golden("call-send"))) {
            assertThatThrownBy(() -> RemoteFrame.read(frame)).isInstanceOf(IllegalArgumentException.class);
        }
        String noAccount = golden("hello").replace("\"remote/equity/paper/main\"", "");
        assertThatThrownBy(() -> RemoteFrame.read(noAccount)).isInstanceOf(IllegalArgumentException.class);
    }
}
