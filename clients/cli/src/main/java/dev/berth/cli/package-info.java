/**
 * The commands of operators and traders: each is one call of the REST API, shown as text or JSON.
 */
@NullMarked
package dev.berth.cli;

import org.jspecify.annotations.NullMarked;
