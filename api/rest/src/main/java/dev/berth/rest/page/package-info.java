/** The page at {@code /}. */
@NullMarked
package dev.berth.rest.page;

import org.jspecify.annotations.NullMarked;
