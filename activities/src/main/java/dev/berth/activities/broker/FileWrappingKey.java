package dev.berth.activities.broker;

import dev.berth.activities.KeyFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import software.amazon.cryptography.materialproviders.IKeyring;
import software.amazon.cryptography.materialproviders.MaterialProviders;
import software.amazon.cryptography.materialproviders.model.AesWrappingAlg;
import software.amazon.cryptography.materialproviders.model.CreateRawAesKeyringInput;

/**
 * An AES-256 key in a file that its owner alone can read: for one machine. Losing it loses what was
 * stored.
 *
 * @param file 32 bytes, as they are
 */
public record FileWrappingKey(Path file) implements WrappingKey {
    private static final int BYTES = 32;

    @Override
    public IKeyring keyring(MaterialProviders providers) {
        return providers.CreateRawAesKeyring(CreateRawAesKeyringInput.builder()
                // Both stand in every stored ciphertext: a key of another name does not open it.
                .keyNamespace("berth")
                .keyName("accounts")
                .wrappingKey(ByteBuffer.wrap(key()))
                .wrappingAlg(AesWrappingAlg.ALG_AES256_GCM_IV12_TAG16)
                .build());
    }

    private byte[] key() {
        byte[] key = KeyFile.read(file, "berth.accounts.key-file");
        if (key.length != BYTES) {
            throw new IllegalArgumentException("The key file " + file + " has " + key.length
                    + " bytes; a key has 32. Make one: head -c 32 /dev/urandom > " + file);
        }
        return key;
    }
}
