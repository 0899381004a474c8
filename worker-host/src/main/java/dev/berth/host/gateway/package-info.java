/** The connection to the worker gateway: enrolment, mutual TLS, and the gateway's own service. */
@NullMarked
package dev.berth.host.gateway;

import org.jspecify.annotations.NullMarked;
