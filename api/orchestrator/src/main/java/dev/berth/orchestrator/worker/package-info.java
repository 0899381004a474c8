/** Adapters of lifecycles, and the listeners that signal them. */
@NullMarked
package dev.berth.orchestrator.worker;

import org.jspecify.annotations.NullMarked;
