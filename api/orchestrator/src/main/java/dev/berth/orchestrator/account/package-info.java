/** The key of stored credentials. */
@NullMarked
package dev.berth.orchestrator.account;

import org.jspecify.annotations.NullMarked;
