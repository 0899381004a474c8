package dev.berth.rest.masscancel;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.broker.AccountStore;
import dev.berth.activities.risk.MassCancelStore;
import dev.berth.rest.Problem;
import dev.berth.rest.account.AccountChoice;
import dev.berth.temporal.client.MassCancelWorkflowClient;
import dev.berth.workflows.UserId;
import dev.berth.workflows.masscancel.MassCancel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowServiceException;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is refused before a mass cancel begins. Without Temporal none begins. */
@Tag("T3")
class MassCancelsTest {
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

    private static final String NONE = "mass-cancels-none";

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private final MassCancelStore store =
            new MassCancelStore(postgres.client(), postgres.transactions(), Duration.ofHours(24));
    /** It has no services, and says so at once. */
    private final Server none =
            InProcessServerBuilder.forName(NONE).directExecutor().build();

    private final WorkflowServiceStubs temporal =
            WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder()
                    .setChannel(InProcessChannelBuilder.forName(NONE)
                            .directExecutor()
                            .build())
                    .build());
    private final MassCancels cancels = new MassCancels(
            new MassCancelWorkflowClient(WorkflowClient.newInstance(temporal)),
            store,
            new AccountChoice(new AccountStore(postgres.client(), true)),
            InstantSource.fixed(NOON));

    @BeforeEach
    void start() throws IOException {
        none.start();
    }

    @AfterEach
    void stop() {
        temporal.shutdownNow();
        none.shutdownNow();
    }

    private Throwable cancel(UserId userId, @Nullable String symbol) {
        return catchThrowable(
                () -> cancels.cancel(userId, new NewMassCancel(null, symbol, null), Optional.empty(), Duration.ZERO));
    }

    @Test
    @DisplayName("With a hundred filters in effect another one is refused, and everything takes the place of all")
    void filtersInEffectAreBounded() {
        for (int number = 1; number <= 100; number++) {
            store.record(MassCancel.of("c-" + number, ALICE, null, "S" + number, null, NOON));
        }
        assertThat(cancel(ALICE, "MORE")).isInstanceOfSatisfying(Problem.Refusal.class, refusal -> {
            assertThat(refusal.problem()).isEqualTo(Problem.TOO_MANY_CANCELS);
            assertThat(refusal.detail().getDetail()).contains("{}");
        });
        assertBegins(cancel(ALICE, "S7"));
        assertBegins(cancel(BOB, "MORE"));
        assertBegins(cancel(ALICE, null));
        store.record(MassCancel.of("all", ALICE, null, null, null, NOON));
        assertBegins(cancel(ALICE, "MORE"));
    }

    private static void assertBegins(Throwable noTemporal) {
        assertThat(noTemporal).isInstanceOfAny(StatusRuntimeException.class, WorkflowServiceException.class);
    }
}
