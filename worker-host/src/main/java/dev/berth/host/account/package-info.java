/** Reports of what is in the accounts whose sessions are open. */
@NullMarked
package dev.berth.host.account;

import org.jspecify.annotations.NullMarked;
