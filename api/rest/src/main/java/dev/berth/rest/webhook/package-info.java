/** Webhooks of users. */
@NullMarked
package dev.berth.rest.webhook;

import org.jspecify.annotations.NullMarked;
