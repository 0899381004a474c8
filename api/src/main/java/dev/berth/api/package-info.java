/** The API and the orchestrator in one application: wiring, security, problems. */
@NullMarked
package dev.berth.api;

import org.jspecify.annotations.NullMarked;
