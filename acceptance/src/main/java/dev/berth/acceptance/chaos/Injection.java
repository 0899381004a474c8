package dev.berth.acceptance.chaos;

import com.google.errorprone.annotations.Immutable;
import java.io.IOException;

/** Makes a fault happen, and undoes it. */
@FunctionalInterface
@Immutable
interface Injection {
    /**
     * Returns when the fault is over.
     *
     * @return how many processes, messages or servers it hit; 0 when there was none
     * @throws IOException when what is needed for it is away
     */
    int inject(Site site, Fault fault) throws IOException, InterruptedException;
}
