/** The delivery of webhooks. */
@NullMarked
package dev.berth.orchestrator.webhook;

import org.jspecify.annotations.NullMarked;
