/** The life of one user's worker: claimed or launched, attached, connected, replaced, stopped. */
@NullMarked
package dev.berth.workflows.worker;

import org.jspecify.annotations.NullMarked;
