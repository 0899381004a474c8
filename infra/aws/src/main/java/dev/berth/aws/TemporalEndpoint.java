package dev.berth.aws;

import software.amazon.awscdk.CfnParameter;

/**
 * Where Temporal is.
 *
 * @param target host and port
 * @param isCloud whether a key is needed; otherwise the network lets in whom it knows
 */
record TemporalEndpoint(String target, boolean isCloud) {
    static TemporalEndpoint cloud(CfnParameter target) {
        return new TemporalEndpoint(target.getValueAsString(), true);
    }
}
