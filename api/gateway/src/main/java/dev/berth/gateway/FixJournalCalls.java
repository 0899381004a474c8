package dev.berth.gateway;

import dev.berth.temporal.gateway.FixJournalMessages.AppendFixMessageRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixAccountRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixExecutionsAnswer;
import dev.berth.temporal.gateway.FixJournalMessages.FixNumbers;
import dev.berth.temporal.gateway.FixJournalMessages.FixReceivedRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixWorkingOrdersAnswer;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.ServedBrokers;
import io.grpc.MethodDescriptor;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Methods of the journal of FIX sessions; user and epoch are the caller's own. */
record FixJournalCalls(FixJournals journals, Refusals refusals) {
    void serve(OwnCalls own, ServingGuard guard) {
        own.method(
                        GatewayMethods.OPEN_FIX_JOURNAL,
                        guard.serving(
                                GatewayMethods.OPEN_FIX_JOURNAL,
                                (caller, request) -> open(caller.serving(), fix(request.account()))))
                .method(
                        GatewayMethods.APPEND_FIX_MESSAGE,
                        guard.serving(GatewayMethods.APPEND_FIX_MESSAGE, (caller, message) -> {
                            append(caller.serving(), message);
                            return new Empty();
                        }))
                .method(
                        GatewayMethods.COUNT_FIX_RECEIVED,
                        guard.serving(GatewayMethods.COUNT_FIX_RECEIVED, (caller, request) -> {
                            received(caller.serving(), request);
                            return new Empty();
                        }))
                .method(
                        GatewayMethods.RESET_FIX_JOURNAL,
                        guard.serving(GatewayMethods.RESET_FIX_JOURNAL, (caller, request) -> {
                            reset(caller.serving(), request);
                            return new Empty();
                        }))
                .method(
                        GatewayMethods.READ_FIX_EXECUTIONS,
                        guard.serving(
                                GatewayMethods.READ_FIX_EXECUTIONS,
                                (caller, request) -> new FixExecutionsAnswer(journals.executions(
                                        caller.serving(), fix(request.account()), request.clientOrderId()))))
                .method(
                        GatewayMethods.READ_FIX_WORKING_ORDERS,
                        guard.serving(
                                GatewayMethods.READ_FIX_WORKING_ORDERS,
                                (caller, request) -> new FixWorkingOrdersAnswer(
                                        journals.working(caller.serving(), fix(request.account())))));
    }

    private static AccountKey fix(AccountKey account) {
        if (!account.broker().equals(ServedBrokers.FIX)) {
            throw new IllegalArgumentException("the broker is not " + ServedBrokers.FIX);
        }
        return account;
    }

    private FixNumbers open(Assignment worker, AccountKey account) {
        return journals.open(worker, account).stream().findFirst().orElseThrow(() -> {
            requireOpen(worker, account, GatewayMethods.OPEN_FIX_JOURNAL);
            return new IllegalStateException("the journal of epoch " + worker.epoch() + " cannot be opened again");
        });
    }

    private void append(Assignment worker, AppendFixMessageRequest message) {
        if (journals.append(worker, message)) {
            return;
        }
        AccountKey account = fix(message.account());
        requireOpen(worker, account, GatewayMethods.APPEND_FIX_MESSAGE);
        OptionalInt next = journals.nextSender(worker, account);
        throw new IllegalArgumentException(
                next.isPresent() ? "the next number is " + next.getAsInt() : "the journal changes now");
    }

    private void received(Assignment worker, FixReceivedRequest request) {
        if (!journals.received(worker, request)) {
            requireOpen(worker, fix(request.account()), GatewayMethods.COUNT_FIX_RECEIVED);
        }
    }

    private void reset(Assignment worker, FixAccountRequest request) {
        if (!journals.reset(worker, request.account())) {
            requireOpen(worker, fix(request.account()), GatewayMethods.RESET_FIX_JOURNAL);
        }
    }

    /** Returns only when this epoch has the journal. */
    private void requireOpen(Assignment worker, AccountKey account, MethodDescriptor<?, ?> method) {
        OptionalLong epoch = journals.epoch(worker, account);
        if (epoch.isPresent() && epoch.getAsLong() > worker.epoch()) {
            throw refusals.superseded(method);
        }
        if (epoch.isEmpty() && method == GatewayMethods.OPEN_FIX_JOURNAL) {
            throw refusals.refuse(
                    method.getFullMethodName(), Refusal.QUANTITY, "the user has FIX sessions with too many accounts");
        }
        if (epoch.isEmpty() || epoch.getAsLong() < worker.epoch()) {
            throw new IllegalArgumentException("this epoch has not opened the journal");
        }
    }
}
