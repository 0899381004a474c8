/**
 * {@code ./berth chaos}: users trade while everything fails that can; afterwards the checker
 * compares.
 */
@NullMarked
package dev.berth.acceptance.chaos;

import org.jspecify.annotations.NullMarked;
