/** Servers and samples that the tests of every adapter share. */
@NullMarked
package dev.berth.activities;

import org.jspecify.annotations.NullMarked;
