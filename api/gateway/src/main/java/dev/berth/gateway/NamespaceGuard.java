package dev.berth.gateway;

import io.grpc.MethodDescriptor;

/** Refuses calls for another namespace than the gateway's. */
record NamespaceGuard(String own, Refusals refusals) {
    void require(MethodDescriptor<?, ?> method, String namespace) {
        if (!namespace.equals(own)) {
            throw refusals.refuse(method.getFullMethodName(), Refusal.NAMESPACE, "another namespace");
        }
    }
}
