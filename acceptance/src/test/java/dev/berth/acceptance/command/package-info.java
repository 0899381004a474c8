/** Commands of {@code ./berth}, guides, the page and the API document. */
@NullMarked
package dev.berth.acceptance.command;

import org.jspecify.annotations.NullMarked;
