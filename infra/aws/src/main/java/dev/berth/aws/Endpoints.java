package dev.berth.aws;

/** Names inside the network, known before what they lead to exists. */
final class Endpoints {
    private Endpoints() {}

    /** The zone of the account's own network alone. */
    static String zone(Sizes sizes) {
        return sizes.text(Size.NAME) + ".internal";
    }

    static String gateway(Sizes sizes) {
        return "gateway." + zone(sizes);
    }
}
