/** The pool, kept running. */
@NullMarked
package dev.berth.rest.pool;

import org.jspecify.annotations.NullMarked;
