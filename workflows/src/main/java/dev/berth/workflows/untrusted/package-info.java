/** The one door for what workers answer, and for what signals and updates carry. */
@NullMarked
package dev.berth.workflows.untrusted;

import org.jspecify.annotations.NullMarked;
