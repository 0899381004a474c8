package dev.berth.host.broker;

/** What a broker of the conformance tests does wrong. */
final class BrokerFaults {
    volatile boolean revoked;
    volatile boolean busy;
    volatile boolean losesAnswer;
    volatile boolean garbles;
    volatile boolean garblesNext;
    volatile boolean refusesCancels;
}
