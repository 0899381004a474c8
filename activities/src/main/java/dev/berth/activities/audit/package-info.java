/** The audit: who did what, in rows that are chained by their hashes. */
@NullMarked
package dev.berth.activities.audit;

import org.jspecify.annotations.NullMarked;
