/** Groups of users with workers of their own kind. */
@NullMarked
package dev.berth.api.group;

import org.jspecify.annotations.NullMarked;
