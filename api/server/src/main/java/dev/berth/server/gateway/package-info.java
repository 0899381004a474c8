/** The role {@code gateway}: the server that workers call, with its settings and its metrics. */
@NullMarked
package dev.berth.server.gateway;

import org.jspecify.annotations.NullMarked;
