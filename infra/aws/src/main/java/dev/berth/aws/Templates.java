package dev.berth.aws;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Names inside a template. */
final class Templates {
    private Templates() {}

    /** {@code WORKER_HOSTS} or {@code worker-hosts} as {@code WorkerHosts}. */
    static String camel(String name) {
        return Arrays.stream(name.split("[_-]"))
                .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT)
                        + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }
}
