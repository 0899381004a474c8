package dev.berth.host.broker.fix;

import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.temporal.gateway.FixJournalMessages.AppendFixMessageRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixNumbers;
import dev.berth.temporal.gateway.FixJournalMessages.FixOrderChange;
import dev.berth.temporal.gateway.FixJournalMessages.FixReceivedRequest;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.Execution;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The journal behind the worker gateway, which knows user and epoch by itself. */
record GatewayFixJournal(WorkerGatewayClient gateway, AccountKey account) implements FixJournal {
    private interface Call<T> {
        T execute();
    }

    private static <T> T call(Call<T> call) throws IOException {
        try {
            return call.execute();
        } catch (StatusRuntimeException failed) {
            if (failed.getStatus().getCode() == Status.Code.PERMISSION_DENIED) {
                throw new FencedException(failed);
            }
            throw new IOException("the journal of the session does not answer: " + failed.getMessage(), failed);
        }
    }

    @Override
    public FixNumbers open() throws IOException {
        return call(() -> gateway.openFixJournal(account));
    }

    @Override
    public void append(int number, @Nullable String text) throws IOException {
        AppendFixMessageRequest message = new AppendFixMessageRequest(account, number, text);
        call(() -> gateway.appendFixMessage(message));
    }

    @Override
    public void received(int nextTarget, List<FixOrderChange> changes) throws IOException {
        FixReceivedRequest request = new FixReceivedRequest(account, nextTarget, changes);
        call(() -> gateway.countFixReceived(request));
    }

    @Override
    public void reset() throws IOException {
        call(() -> gateway.resetFixJournal(account));
    }

    @Override
    public List<Execution> executions(VenueClientOrderId id) throws IOException {
        return call(() -> gateway.fixExecutions(account, id.toString()));
    }

    @Override
    public List<VenueClientOrderId> working() throws IOException {
        return call(() -> gateway.fixWorkingOrders(account)).stream()
                .map(VenueClientOrderId::parse)
                .toList();
    }
}
