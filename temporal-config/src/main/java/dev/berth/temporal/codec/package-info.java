/** Encrypts what Temporal stores. */
@NullMarked
package dev.berth.temporal.codec;

import org.jspecify.annotations.NullMarked;
