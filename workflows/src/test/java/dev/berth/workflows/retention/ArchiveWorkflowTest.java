package dev.berth.workflows.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import io.temporal.client.WorkflowException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ArchiveWorkflowTest {
    private final InMemoryServer server = new InMemoryServer();
    private final FakeArchive archive = new FakeArchive();
    private ArchiveWorkflow workflow;

    /** Has files to write, and fails a number of times. */
    private final class FakeArchive implements OrderArchiving {
        final List<String> calls = new CopyOnWriteArrayList<>();
        volatile int files;
        volatile int deletedOfEach = 1_000;
        final AtomicInteger failures = new AtomicInteger();
        volatile Instant lastAttempt = InMemoryServer.OPEN;
        private long last;

        @Override
        public synchronized @Nullable Long write() {
            if (last == files) {
                return null;
            }
            last++;
            calls.add("write " + last);
            return last;
        }

        @Override
        public int delete(long number) {
            calls.add("delete " + number);
            lastAttempt = server.now();
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("PostgreSQL is unavailable");
            }
            return deletedOfEach;
        }

        @Override
        public void forgetOrderIds() {
            calls.add("forget");
        }
    }

    @BeforeEach
    void start() {
        server.worker(TaskQueues.FLEET).registerWorkflowImplementationTypes(ArchiveWorkflowImpl.class);
        server.worker(TaskQueues.FLEET).registerActivitiesImplementations(archive);
        server.start();
        workflow = server.workflow(ArchiveWorkflow.class, WorkflowIds.ARCHIVE, TaskQueues.FLEET);
    }

    @AfterEach
    void replay() {
        try (server) {
            server.replay(WorkflowIds.ARCHIVE, ArchiveWorkflowImpl.class);
        }
    }

    @Test
    @Tag("X24")
    @DisplayName("One file after the other is written and then deleted from PostgreSQL; the ids come last")
    void fileAfterFile() {
        archive.files = 2;
        workflow.run();
        assertThat(archive.calls).containsExactly("write 1", "delete 1", "write 2", "delete 2", "forget");
    }

    @Test
    @Tag("X24")
    @DisplayName("A deletion that fails is repeated for the same file, before another one is written")
    void repeatsSameFile() {
        archive.files = 1;
        archive.failures.set(3);
        workflow.run();
        assertThat(archive.calls).containsExactly("write 1", "delete 1", "delete 1", "delete 1", "delete 1", "forget");
    }

    @Test
    @Tag("X24")
    @DisplayName("After half an hour of failures the run gives up; the next hour's continues")
    void runGivesUpAfterHalfHour() {
        archive.files = 1;
        archive.failures.set(1_000);
        assertThatThrownBy(workflow::run).isInstanceOf(WorkflowException.class);
        assertThat(Duration.between(InMemoryServer.OPEN, archive.lastAttempt))
                .isBetween(Duration.ofMinutes(20), Duration.ofMinutes(31));
        assertThat(archive.calls).doesNotContain("write 2", "forget");
    }

    @Test
    @Tag("X24")
    @DisplayName("A file of which nothing can be deleted ends the run")
    void undeletableFileEndsRun() {
        archive.files = 5;
        archive.deletedOfEach = 0;
        workflow.run();
        assertThat(archive.calls).containsExactly("write 1", "delete 1", "forget");
    }

    @Test
    @Tag("X24")
    @DisplayName("A long backlog goes on in a new run, so that no history grows without bound")
    void continuesAsNew() {
        archive.files = ArchivePolicies.FILES_PER_RUN + 1;
        workflow.run();
        assertThat(archive.calls).endsWith("delete 201", "forget").hasSize(2 * 201 + 1);
        assertThat(server.history(WorkflowIds.ARCHIVE)).hasSizeLessThan(50);
    }
}
