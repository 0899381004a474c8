/** Tells the servers of users and operators what happened. */
@NullMarked
package dev.berth.workflows.webhook;

import org.jspecify.annotations.NullMarked;
