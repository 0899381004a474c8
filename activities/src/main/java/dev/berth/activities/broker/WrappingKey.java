package dev.berth.activities.broker;

import java.util.List;
import software.amazon.cryptography.materialproviders.IKeyring;
import software.amazon.cryptography.materialproviders.MaterialProviders;

/** The key that wraps the data keys of all stored credentials. */
public interface WrappingKey {
    /**
     * Opens it. Asking twice gives two keyrings of the same key.
     *
     * @throws IllegalArgumentException when the key is unusable; the message says what to do
     */
    IKeyring keyring(MaterialProviders providers);

    /**
     * The keys before it, which still open what they wrapped; newest first.
     *
     * @throws IllegalArgumentException as {@link #keyring}
     */
    default List<IKeyring> earlier(MaterialProviders providers) {
        return List.of();
    }
}
