/** A client of {@code GET /v1/stream}, and the comparison of what it saw with the database. */
@NullMarked
package dev.berth.acceptance.stream;

import org.jspecify.annotations.NullMarked;
