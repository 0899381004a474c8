package dev.berth.gateway;

import io.grpc.MethodDescriptor;

/** Refuses what only the worker of a user may do, to those that have none. */
record ServingGuard(Refusals refusals) {
    <Q, A> OwnCalls.Method<Q, A> serving(MethodDescriptor<Q, A> method, OwnCalls.Method<Q, A> body) {
        return (caller, request) -> {
            if (caller.assignment() == null) {
                throw refusals.refuse(method.getFullMethodName(), Refusal.STATE, "the worker has no user");
            }
            return body.call(caller, request);
        };
    }
}
