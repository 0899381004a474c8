/** Webhooks of users. */
@NullMarked
package dev.berth.api.webhook;

import org.jspecify.annotations.NullMarked;
