package dev.berth.temporal.codec;

/**
 * Names a key in the metadata of each payload, as {@code MASTER/OWNER}.
 *
 * @param masterKey id of the master key that the key is derived from
 */
public record PayloadKeyId(String masterKey, KeyOwner owner) {

    /**
     * Reads what {@link #toString} wrote.
     *
     * @throws IllegalArgumentException when it is no key id
     */
    public static PayloadKeyId parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 1) {
            throw new IllegalArgumentException("no key id");
        }
        return new PayloadKeyId(text.substring(0, slash), new KeyOwner(text.substring(slash + 1)));
    }

    @Override
    public String toString() {
        return masterKey + "/" + owner;
    }
}
