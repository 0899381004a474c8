package dev.berth.temporal.codec;

import dev.berth.temporal.TemporalClients;
import dev.berth.workflows.Hashes;
import io.temporal.common.converter.DataConverter;
import java.nio.charset.StandardCharsets;

/** A key for every owner, of one master key. */
public enum TestPayloadKeys implements PayloadKeys {
    ALL;

    /** As the orchestrator reads and writes. */
    public static final DataConverter CONVERTER = TemporalClients.encrypting(ALL);

    private static final String MASTER = "1f";

    @Override
    public PayloadKey current(KeyOwner owner) {
        return find(new PayloadKeyId(MASTER, owner));
    }

    @Override
    public PayloadKey find(PayloadKeyId id) {
        if (!id.masterKey().equals(MASTER)) {
            throw new MissingPayloadKeyException(id);
        }
        String bytes = Hashes.sha256(id.toString()).substring(0, 32);
        return PayloadKey.of(id, bytes.getBytes(StandardCharsets.US_ASCII));
    }
}
