/** Which brokers are served, and what each can do. */
@NullMarked
package dev.berth.rest.broker;

import org.jspecify.annotations.NullMarked;
