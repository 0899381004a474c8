/** Connections of customers' machines, which reach brokers that Berth cannot (docs/remote.md). */
@NullMarked
package dev.berth.rest.remote;

import org.jspecify.annotations.NullMarked;
