/**
 * What may be sent: kill switch, limits, quotes. The same rules where orders are accepted and where
 * they are sent.
 */
@NullMarked
package dev.berth.workflows.risk;

import org.jspecify.annotations.NullMarked;
