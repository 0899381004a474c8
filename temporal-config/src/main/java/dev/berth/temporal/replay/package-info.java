/**
 * {@code ./berth replay}: one workflow's history, told step by step and replayed with the code of
 * today.
 */
@NullMarked
package dev.berth.temporal.replay;

import org.jspecify.annotations.NullMarked;
