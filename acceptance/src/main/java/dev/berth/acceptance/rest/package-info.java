/** Clients of the REST API, and the records of what it answers. */
@NullMarked
package dev.berth.acceptance.rest;

import org.jspecify.annotations.NullMarked;
