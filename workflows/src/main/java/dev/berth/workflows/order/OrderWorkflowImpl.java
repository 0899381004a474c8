package dev.berth.workflows.order;

import dev.berth.workflows.Steps;
import dev.berth.workflows.Steps.Step;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.WorkflowTasks;
import dev.berth.workflows.broker.AccountKey;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Sends an order until the venue has answered or the deadline passed, then follows it to its final
 * state.
 */
public final class OrderWorkflowImpl implements OrderWorkflow {
    private final CurrentOrder order;
    private final OrderDispatch dispatch;
    private final UnknownOrderResolver resolver;
    private final WorkingOrder working;
    private final Steps steps;

    @WorkflowInit
    public OrderWorkflowImpl(OrderState state) {
        this.order = new CurrentOrder(state);
        this.dispatch = new OrderDispatch(order);
        this.resolver = new UnknownOrderResolver(order);
        this.working = new WorkingOrder(order, resolver);
        this.steps = new Steps(steps());
    }

    @Override
    public OrderState run(OrderState input) {
        WorkflowIds.requireOwn(WorkflowIds.order(order.request.userId(), order.request.clientOrderId()));
        // A person who cancels the workflow itself, in the Web UI, wants the order canceled, not
        // forgotten.
        CancellationScope.current().getCancellationRequest().thenApply(_ -> {
            order.requestCancel();
            return true;
        });
        Workflow.newDetachedCancellationScope(() -> runToEnd(input)).run();
        return order.state();
    }

    private void runToEnd(OrderState input) {
        begin(input);
        steps.runWhile(() -> !order.isFinal());
        end();
    }

    /** Everything that an order does, the most urgent first. */
    private List<Step> steps() {
        return List.of(
                order.step(order::hasReports, order::applyReport),
                Step.when(this::isWriteAwaited, order::awaitWrittenUndisturbed),
                Step.when(this::isNewRunDue, this::continueAsNew),
                order.step(this::isUnsent, dispatch::dispatch),
                order.step(this::isUnknown, this::resolve),
                whileWorking(working.replacement::isUnresolved, working.replacement::resolve),
                whileWorking(order::isCancelRequested, working::cancel),
                whileWorking(order::isReplaceRequested, working.replacement::replace),
                whileWorking(order::isPaused, working::check),
                order.step(working::callDueAt, working::callForUnconfirmed),
                whileWorking(() -> !order.isPaused(), working::planCheck));
    }

    private Step whileWorking(BooleanSupplier isNext, Runnable run) {
        return order.step(() -> order.isWorking() && isNext.getAsBoolean(), run);
    }

    private boolean isUnsent() {
        OrderStatus status = order.state().status();
        return status == OrderStatus.PENDING || status == OrderStatus.DISPATCHED;
    }

    private boolean isUnknown() {
        return order.state().status() == OrderStatus.UNKNOWN;
    }

    /**
     * The first step of an order that a person requeued, or that was adopted, has the reason.
     *
     * @param state what the run began with: a report or request may have come before
     */
    private void begin(OrderState state) {
        if (FailureCode.ADOPTED.isOf(state.reason())) {
            order.note(state);
            order.write();
        } else if (state.status() == OrderStatus.UNKNOWN) {
            order.note(state);
        }
        if (state.status() == OrderStatus.PENDING_CANCEL && state.pending() == null) {
            // An adopted order does not have the request that its earlier run had. Twice does no
            // harm.
            order.scheduleCancel();
        }
    }

    /** Reports that come meanwhile are recorded, and every caller is answered. */
    private void end() {
        order.awaitWritten();
        order.applyLateReports();
        order.findMissingExecutions();
        do {
            order.awaitWritten();
            order.applyLateReports();
            Workflow.await(Workflow::isEveryHandlerFinished);
        } while (order.hasReports());
    }

    private void resolve() {
        switch (resolver.ask(order.state().currentVersion().number())) {
            case UnknownOrderResolver.Resolution.Known(var report) -> order.apply(report);
            case UnknownOrderResolver.Resolution.ProvenAbsent _ when order.hasReports() -> {
                // A report counts more than a look-up that finds nothing: the next step applies it.
            }
            case UnknownOrderResolver.Resolution.ProvenAbsent _ -> notAtVenue();
            case UnknownOrderResolver.Resolution.NotYetKnown _ -> {
                // The order is paused already.
            }
        }
    }

    /** The order was not sent, which is proven, and may be sent again if there is time. */
    private void notAtVenue() {
        Instant now = WorkflowTasks.now();
        if (order.isCancelRequested()) {
            order.become(OrderStatus.CANCELED, null);
        } else if (now.isBefore(order.request.deadline())) {
            order.become(OrderStatus.PENDING, null);
        } else {
            order.become(OrderStatus.FAILED, OrderFailures.notSent(order.request));
        }
    }

    /**
     * A new run begins with the state alone: reports are applied before, every step is written, and
     * every caller is answered. A reset run first asks the venue for what earlier runs sent, since
     * a new run does not know of the reset.
     */
    private void continueAsNew() {
        boolean isAnsweredOrSent = order.state().status() != OrderStatus.PENDING;
        if (isAnsweredOrSent || !dispatch.becomesUnknownAfterReset()) {
            Workflow.continueAsNew(order.state());
        }
    }

    /** A run that should end begins nothing that could be left to the next. */
    private boolean isWriteAwaited() {
        return order.isRunLong() && !order.isWritten() && !order.pending().interrupted();
    }

    private boolean isNewRunDue() {
        return order.isRunLong() && order.isWritten() && Workflow.isEveryHandlerFinished();
    }

    @Override
    public void report(ExecutionReport report) {
        order.report(report);
    }

    @Override
    public void accountRefused(AccountKey account, String why) {
        if (account.equals(order.request.account())) {
            order.refuse(OrderFailures.credentialsRefused(account, why));
        }
    }

    @Override
    public void workerMissing() {
        order.workerMissing();
    }

    @Override
    public OrderState cancel() {
        order.requestCancel();
        Workflow.await(() -> order.isFinal() || !order.isCancelRequested() || isLeftToNextRun());
        return order.state();
    }

    @Override
    public OrderState replace(Replacement change) {
        if (!order.isFinal()) {
            OrderTerms terms = latestTerms().with(change, order.request.type());
            order.requestTerms(terms);
            Workflow.await(() -> order.isFinal() || !terms.equals(order.requestedTerms()) || isLeftToNextRun());
        }
        return order.state();
    }

    @Override
    public OrderState resolve(OrderResolution resolution) {
        order.requestResolution(resolution);
        Workflow.await(() -> order.isFinal() || !resolution.equals(order.resolution()) || isLeftToNextRun());
        return order.state();
    }

    @Override
    public void checkResolution(OrderResolution resolution) {
        if (!FailureCode.UNRESOLVED.isOf(order.state().reason())) {
            throw new IllegalStateException("The order waits for no person's word on its outcome.");
        }
    }

    /**
     * A caller may wait for days while no worker can find out; a new run cannot begin before the
     * caller is answered.
     */
    private boolean isLeftToNextRun() {
        return order.isRunLong() && order.isUnanswered();
    }

    @Override
    public void check(Replacement change) {
        latestTerms().with(change, order.request.type());
    }

    /** A further change changes those that are requested already. */
    private OrderTerms latestTerms() {
        OrderTerms requested = order.requestedTerms();
        return requested == null ? order.state().terms() : requested;
    }

    @Override
    public OrderState state() {
        return order.state();
    }
}
