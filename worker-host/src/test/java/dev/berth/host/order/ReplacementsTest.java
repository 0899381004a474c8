package dev.berth.host.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.ClientOrderId;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReplacementsTest {
    private static final ClientOrderId ID = new ClientOrderId("o-1");

    private final Replacements replacements = new Replacements();

    @DisplayName("X3 a replacement that was declared absent never begins; the next one does")
    @Test
    void whatIsForbiddenDoesNotBegin() throws Exception {
        assertThat(replacements.awaitEnd(ID, 2, 0)).isTrue();
        assertThatThrownBy(() -> replacements.make(ID, 1, () -> "written")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> replacements.make(ID, 2, () -> "written")).isInstanceOf(IOException.class);
        assertThat(replacements.make(ID, 3, () -> "written")).isEqualTo("written");
        assertThat(replacements.make(new ClientOrderId("o-2"), 1, () -> "written"))
                .isEqualTo("written");
    }

    @DisplayName("X3 whoever asks waits until the replacement in hand can not be written any more, however it ends")
    @Test
    void awaitsTheEnd() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch broken = new CountDownLatch(1);
        try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> call = other.submit(() -> replacements.make(ID, 1, () -> {
                writing.countDown();
                broken.await();
                throw new IOException("reset");
            }));
            writing.await();
            assertThat(replacements.awaitEnd(ID, 1, 0)).isFalse();
            assertThatThrownBy(() -> replacements.make(ID, 2, () -> "written")).hasMessageContaining("may still write");
            Future<Boolean> asking = other.submit(() -> replacements.awaitEnd(ID, 1, 10));
            broken.countDown();
            assertThat(asking.get(5, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(call::get).hasRootCauseMessage("reset");
        }
        assertThat(replacements.make(ID, 2, () -> "written")).isEqualTo("written");
    }
}
