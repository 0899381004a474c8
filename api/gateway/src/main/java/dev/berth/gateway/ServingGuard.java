package dev.berth.gateway;

import io.grpc.MethodDescriptor;

/** Refuses what only the newest worker of a user may do. */
record ServingGuard(CurrentEpochs epochs, Refusals refusals) {
    /** Refuses those that have no user, too. */
    <Q, A> OwnCalls.Method<Q, A> serving(MethodDescriptor<Q, A> method, OwnCalls.Method<Q, A> body) {
        OwnCalls.Method<Q, A> newest = newest(method, body);
        return (caller, request) -> {
            if (caller.assignment() == null) {
                throw refusals.refuse(method.getFullMethodName(), Refusal.STATE, "the worker has no user");
            }
            return newest.call(caller, request);
        };
    }

    /** Lets a pool worker without a user do it in its warm-up. */
    <Q, A> OwnCalls.Method<Q, A> newest(MethodDescriptor<Q, A> method, OwnCalls.Method<Q, A> body) {
        return (caller, request) -> {
            if (epochs.isSuperseded(caller.serving()).toCompletableFuture().join()) {
                throw refusals.superseded(method);
            }
            return body.call(caller, request);
        };
    }
}
