package dev.berth.activities.broker;

import dev.berth.temporal.codec.KeyFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import software.amazon.cryptography.materialproviders.IKeyring;
import software.amazon.cryptography.materialproviders.MaterialProviders;
import software.amazon.cryptography.materialproviders.model.AesWrappingAlg;
import software.amazon.cryptography.materialproviders.model.CreateRawAesKeyringInput;

/**
 * AES-256 keys in a file that its owner alone can read: for one machine. Losing it loses what was
 * stored.
 *
 * @param file 32 bytes for each key, as they are; the first wraps, all of them open
 */
public record FileWrappingKey(Path file) implements WrappingKey {
    private static final int BYTES = 32;

    @Override
    public IKeyring keyring(MaterialProviders providers) {
        return keyring(providers, keys().getFirst());
    }

    @Override
    public List<IKeyring> earlier(MaterialProviders providers) {
        return keys().stream().skip(1).map(key -> keyring(providers, key)).toList();
    }

    private static IKeyring keyring(MaterialProviders providers, ByteBuffer key) {
        return providers.CreateRawAesKeyring(CreateRawAesKeyringInput.builder()
                // Both stand in every stored ciphertext: a key of another name does not open it.
                .keyNamespace("berth")
                .keyName("accounts")
                .wrappingKey(key)
                .wrappingAlg(AesWrappingAlg.ALG_AES256_GCM_IV12_TAG16)
                .build());
    }

    private List<ByteBuffer> keys() {
        byte[] all = KeyFile.read(file, "berth.accounts.key-file");
        if (all.length == 0 || all.length % BYTES != 0) {
            throw new IllegalArgumentException("The key file " + file + " has " + all.length
                    + " bytes; each key has 32. Make one: head -c 32 /dev/urandom > " + file);
        }
        return IntStream.range(0, all.length / BYTES)
                .mapToObj(number -> ByteBuffer.wrap(Arrays.copyOfRange(all, number * BYTES, (number + 1) * BYTES)))
                .toList();
    }
}
