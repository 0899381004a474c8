/**
 * {@code ./berth demo}: users trade while workers are killed; then the venue's book is compared.
 */
@NullMarked
package dev.berth.acceptance.demo;

import org.jspecify.annotations.NullMarked;
