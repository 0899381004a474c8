/** Webhooks: where they are kept, and how a message is sent. */
@NullMarked
package dev.berth.activities.webhook;

import org.jspecify.annotations.NullMarked;
