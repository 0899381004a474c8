package dev.berth.rest.broker;

import dev.berth.workflows.broker.AssetCapabilities;
import dev.berth.workflows.broker.BrokerCapabilities;
import dev.berth.workflows.broker.OrderIdentity;
import java.util.List;
import java.util.Map;

/** The answer of {@code GET /v1/brokers}. */
record BrokersView(List<BrokerView> items) {
    /**
     * One broker.
     *
     * @param credentials a JSON schema of the body that stores an account's credentials
     */
    record BrokerView(
            String broker,
            List<AssetCapabilities> assetClasses,
            OrderIdentity identity,
            Map<String, Object> credentials,
            BrokerCapabilities.Proof proof) {
        static BrokerView of(BrokerCapabilities served) {
            return new BrokerView(
                    served.broker(),
                    served.assetClasses(),
                    served.identity(),
                    served.credentials().json(),
                    served.proof());
        }
    }
}
