package dev.berth.host.order;

import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.host.tracing.Span;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderState;
import io.grpc.StatusRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes execution reports on: to the order's workflow and to subscribers. */
public final class ExecutionReportPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutionReportPublisher.class);

    private final ReportDelivery delivery;
    private final WorkerGatewayClient gateway;
    private final Attempts attempts;

    public ExecutionReportPublisher(WorkerGatewayClient gateway, Attempts attempts) {
        this.delivery = new ReportDelivery(gateway);
        this.gateway = gateway;
        this.attempts = attempts;
    }

    /** A report of an order that is being sent returns with the activity's result instead. */
    public void onReport(ClientOrderId id, ExecutionReport report) {
        if (!attempts.keepReport(id, report)) {
            deliver(id, report);
        }
    }

    /** Signals the order's workflow, or the one for late reports. */
    void deliver(ClientOrderId id, ExecutionReport report) {
        delivery.deliver(id, report);
    }

    /** Publishes at once; the activity's result takes longer. */
    void publish(OrderState state) {
        Thread.ofVirtual().start(Span.inherited(() -> {
            try {
                gateway.publish(state);
            } catch (StatusRuntimeException unavailable) {
                LOG.warn("order state not published: {}", unavailable.getMessage());
            }
        }));
    }
}
