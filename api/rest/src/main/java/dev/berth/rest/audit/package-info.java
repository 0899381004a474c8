/** The audit over REST, and how calls are recorded in it. */
@NullMarked
package dev.berth.rest.audit;

import org.jspecify.annotations.NullMarked;
