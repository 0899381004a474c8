/** The process as its lifecycle sees it: mark, lease, control activities. */
@NullMarked
package dev.berth.host.worker;

import org.jspecify.annotations.NullMarked;
