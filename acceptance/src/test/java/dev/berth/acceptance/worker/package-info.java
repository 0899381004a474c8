/** The life of a worker: it hangs, dies, idles, or is one too many. */
@NullMarked
package dev.berth.acceptance.worker;

import org.jspecify.annotations.NullMarked;
