/** The program: one application for all roles. */
@NullMarked
package dev.berth.server;

import org.jspecify.annotations.NullMarked;
