/** The warm pool: processes that wait for a user. */
@NullMarked
package dev.berth.workflows.pool;

import org.jspecify.annotations.NullMarked;
