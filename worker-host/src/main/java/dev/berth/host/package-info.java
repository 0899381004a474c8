/** The isolated process of one user: plain Java, started by ECS, ended by its lifecycle. */
@NullMarked
package dev.berth.host;

import org.jspecify.annotations.NullMarked;
