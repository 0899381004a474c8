/** The pool, kept running. */
@NullMarked
package dev.berth.api.pool;

import org.jspecify.annotations.NullMarked;
