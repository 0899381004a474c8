/** Clients of the REST API. */
@NullMarked
package dev.berth.acceptance.rest;

import org.jspecify.annotations.NullMarked;
