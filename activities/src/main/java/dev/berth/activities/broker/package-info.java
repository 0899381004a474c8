/** Credentials, read and sealed. */
@NullMarked
package dev.berth.activities.broker;

import org.jspecify.annotations.NullMarked;
