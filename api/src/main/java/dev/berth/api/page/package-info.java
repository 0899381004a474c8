/** The page at {@code /}. */
@NullMarked
package dev.berth.api.page;

import org.jspecify.annotations.NullMarked;
