/** Redis, PostgreSQL, a host or a server of Berth fails. */
@NullMarked
package dev.berth.acceptance.outage;

import org.jspecify.annotations.NullMarked;
