/** What the local stack and the templates of a cloud account must have in common. */
@NullMarked
package dev.berth.workflows.deployment;

import org.jspecify.annotations.NullMarked;
