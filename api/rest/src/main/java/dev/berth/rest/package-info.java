/** REST: security, problems and limits of requests. */
@NullMarked
package dev.berth.rest;

import org.jspecify.annotations.NullMarked;
