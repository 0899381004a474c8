/** Words that every subject shares: ids, task queues, search attributes, decimals. */
@NullMarked
package dev.berth.workflows;

import org.jspecify.annotations.NullMarked;
