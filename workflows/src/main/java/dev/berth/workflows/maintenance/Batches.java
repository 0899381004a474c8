package dev.berth.workflows.maintenance;

import java.util.ArrayList;
import java.util.List;

/** Splits a list, since most calls limit the number of items. */
public final class Batches {
    private Batches() {}

    /** The last part may be smaller. */
    public static <T> List<List<T>> of(List<T> all, int size) {
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += size) {
            parts.add(List.copyOf(all.subList(from, Math.min(from + size, all.size()))));
        }
        return parts;
    }
}
