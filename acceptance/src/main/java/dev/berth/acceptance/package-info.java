/**
 * Berth from outside: through REST, the {@code temporal} command line, the venue's control endpoint
 * and {@code kill}.
 */
@NullMarked
package dev.berth.acceptance;

import org.jspecify.annotations.NullMarked;
