/** What adapters of several subjects share. */
@NullMarked
package dev.berth.activities;

import org.jspecify.annotations.NullMarked;
