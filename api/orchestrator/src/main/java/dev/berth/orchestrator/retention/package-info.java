/** When old orders go to the archive. */
@NullMarked
package dev.berth.orchestrator.retention;

import org.jspecify.annotations.NullMarked;
