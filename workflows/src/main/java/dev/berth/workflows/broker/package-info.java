/** Accounts at brokers, and how credentials travel to a worker. */
@NullMarked
package dev.berth.workflows.broker;

import org.jspecify.annotations.NullMarked;
