package dev.berth.workflows;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map that keeps the latest entries only; the oldest goes when one more comes. Not safe for
 * several threads.
 */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    private final int kept;

    public BoundedMap(int kept) {
        this.kept = kept;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > kept;
    }
}
