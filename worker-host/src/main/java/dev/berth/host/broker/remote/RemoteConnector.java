package dev.berth.host.broker.remote;

import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.SessionListener;
import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.workflows.broker.AccountKey;
import java.time.Duration;

/**
 * Opens sessions that reach their broker through the customer's machine. A session is open at once,
 * whether that machine is connected or not: orders wait for it until their deadline.
 */
public final class RemoteConnector implements BrokerConnector {
    private final WorkerGatewayClient gateway;
    private final long epoch;
    private final Duration callLimit;

    /**
     * Calls nothing.
     *
     * @param epoch of this worker
     * @param callLimit for each call except a submission, which has its own
     */
    public RemoteConnector(WorkerGatewayClient gateway, long epoch, Duration callLimit) {
        this.gateway = gateway;
        this.epoch = epoch;
        this.callLimit = callLimit;
    }

    /**
     * Needs no credentials, and calls {@code listener} never: the machine's reports go from the
     * replica that holds its connection to the order's workflow.
     */
    @Override
    public BrokerSession open(AccountKey account, BrokerCredentials credentials, SessionListener listener) {
        return new RemoteSession(new RemoteCalls(gateway, account, epoch), callLimit);
    }
}
