/** The sweep's adapters: what it reads, and one class for each kind of drift. */
@NullMarked
package dev.berth.activities.maintenance;

import org.jspecify.annotations.NullMarked;
