/** {@code ./berth bench}: what Berth costs, beside baselines in the same run. */
@NullMarked
package dev.berth.acceptance.bench;

import org.jspecify.annotations.NullMarked;
