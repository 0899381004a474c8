package dev.berth.host.broker;

import java.util.List;

/**
 * A broker as {@link BrokerConformanceTest} needs it: an adapter that reaches it through a network
 * that fails on demand, and control over what happens at the broker. Each test has its own.
 */
interface ConformanceBroker extends AutoCloseable {
    /** The adapter of the worker with this epoch. */
    BrokerConnector connector(long epoch);

    BrokerCredentials credentials();

    /** Well-formed, and of no account. */
    BrokerCredentials refusedCredentials();

    /** From now on the broker refuses {@link #credentials}, on open connections as well. */
    void revokeCredentials();

    /**
     * The client order ids of the orders that the broker accepted, oldest first; an id twice when
     * it accepted two orders.
     */
    List<String> accepted();

    /** Trades so much of the only working order. */
    void trade(String quantity, String price);

    /** Accepts the next order, and loses its answer together with the connection. */
    void loseNextAnswer();

    /** Accepts the next order, and gives an answer that says nothing. */
    void garbleNextAnswer();

    /** While on, a proxy answers every request in the broker's place; none reaches it. */
    void garbleAnswers(boolean on);

    /** Refuses every cancel, with a reason. */
    void refuseCancels();

    /** Corrects the price of the only execution: one with a new id takes its place. */
    void correct(String price);

    /** While on, the broker refuses every request for its rate. */
    void limitRate(boolean on);

    /** Another application trades one order of the account, under an id that is not Berth's. */
    void tradeForeignOrder();

    /** Another application has an open order, in which nothing but the ids can be read. */
    void addUnreadableOrder();

    /** Whether the broker replaces orders. */
    default boolean replaces() {
        return true;
    }

    /** Between the adapter and the broker. */
    CuttingProxy network();

    /** Cuts the network: open connections end, new ones are refused. */
    default void disconnect() {
        network().disconnect();
    }

    default void reconnect() {
        network().reconnect();
    }

    /** The adapter's connection ends after so many more of its bytes. */
    default void cutAfter(int bytes) {
        network().cutAfter(CuttingProxy.From.ADAPTER, bytes);
    }

    /** Stops that; false when the adapter wrote fewer bytes since. */
    default boolean stopCutting() {
        return network().stopCutting();
    }

    @Override
    void close();
}
