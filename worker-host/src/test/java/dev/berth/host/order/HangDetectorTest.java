package dev.berth.host.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HangDetectorTest {
    private final List<String> hung = new ArrayList<>();
    private final HangDetector detector = new HangDetector(Duration.ofMinutes(3), hung::add);

    @AfterEach
    void stop() {
        detector.close();
    }

    private void tick(int times) {
        IntStream.range(0, times).forEach(_ -> detector.tick());
    }

    @Tag("D1")
    @DisplayName("Work that takes 180 s hangs")
    @Test
    void noticesHangingWork() {
        HangDetector.Watched before = detector.watch("order o-0");
        tick(100);
        before.close();
        try (var _ = detector.watch("order o-1")) {
            tick(179);
            assertThat(hung).isEmpty();
            tick(1);
            assertThat(hung).containsExactly("order o-1");
        }
    }

    @Tag("D1")
    @DisplayName("Finished work does not hang")
    @Test
    void forgetsFinishedWork() {
        try (var _ = detector.watch("order o-1")) {
            tick(179);
        }
        tick(500);
        assertThat(hung).isEmpty();
    }
}
