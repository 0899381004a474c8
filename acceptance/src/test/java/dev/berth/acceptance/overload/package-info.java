/** More orders, requests or memory than there is room for. */
@NullMarked
package dev.berth.acceptance.overload;

import org.jspecify.annotations.NullMarked;
