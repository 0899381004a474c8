package dev.berth.host.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HangWatchTest {
    private final List<String> hung = new ArrayList<>();
    private final HangWatch watch = new HangWatch(Duration.ofMinutes(3), hung::add);

    @AfterEach
    void stop() {
        watch.close();
    }

    private void tick(int times) {
        IntStream.range(0, times).forEach(_ -> watch.tick());
    }

    @DisplayName("D1 work that is not over after 180 s means that the process hangs")
    @Test
    void noticesWhatHangs() {
        HangWatch.Watched before = watch.watch("order o-0");
        tick(100);
        before.close();
        try (var _ = watch.watch("order o-1")) {
            tick(179);
            assertThat(hung).isEmpty();
            tick(1);
            assertThat(hung).containsExactly("order o-1");
        }
    }

    @DisplayName("D1 what is over is forgotten, however long it took")
    @Test
    void forgetsWhatIsOver() {
        try (var _ = watch.watch("order o-1")) {
            tick(179);
        }
        tick(500);
        assertThat(hung).isEmpty();
    }
}
