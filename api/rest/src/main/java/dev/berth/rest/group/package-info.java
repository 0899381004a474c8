/** Groups of users with workers of their own kind. */
@NullMarked
package dev.berth.rest.group;

import org.jspecify.annotations.NullMarked;
