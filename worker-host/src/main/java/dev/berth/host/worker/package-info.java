/** The worker of one user: heartbeat key, lease, control activities. */
@NullMarked
package dev.berth.host.worker;

import org.jspecify.annotations.NullMarked;
