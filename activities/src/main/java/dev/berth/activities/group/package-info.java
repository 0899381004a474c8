/** Groups of users: who is in them, and what is launched for them. */
@NullMarked
package dev.berth.activities.group;

import org.jspecify.annotations.NullMarked;
