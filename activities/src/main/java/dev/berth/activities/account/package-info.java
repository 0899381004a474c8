/** What workers report of accounts, and what is known of them. */
@NullMarked
package dev.berth.activities.account;

import org.jspecify.annotations.NullMarked;
