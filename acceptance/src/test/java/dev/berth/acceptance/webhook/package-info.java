/** Calls to the servers of users and operators. */
@NullMarked
package dev.berth.acceptance.webhook;

import org.jspecify.annotations.NullMarked;
