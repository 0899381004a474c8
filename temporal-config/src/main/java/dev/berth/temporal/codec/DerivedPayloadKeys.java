package dev.berth.temporal.codec;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Every owner's payload keys, derived from the master keys, each once. */
public final class DerivedPayloadKeys implements PayloadKeys {
    /** Some 30 MB. More owners than that only derive again. */
    private static final int CACHED = 100_000;

    private final MasterKeys masterKeys;
    private final Map<PayloadKeyId, PayloadKey> derived = new ConcurrentHashMap<>();

    public DerivedPayloadKeys(MasterKeys masterKeys) {
        this.masterKeys = masterKeys;
    }

    @Override
    public PayloadKey current(KeyOwner owner) {
        return find(new PayloadKeyId(masterKeys.current(), owner));
    }

    @Override
    public PayloadKey find(PayloadKeyId id) {
        PayloadKey known = derived.get(id);
        if (known != null) {
            return known;
        }
        PayloadKey key = PayloadKey.of(id, masterKeys.derive(id));
        if (derived.size() >= CACHED) {
            derived.clear();
        }
        derived.put(id, key);
        return key;
    }
}
