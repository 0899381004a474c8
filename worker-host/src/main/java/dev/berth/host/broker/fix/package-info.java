/** FIX 4.4: one live session of an account, with a journal outside of the worker. */
@NullMarked
package dev.berth.host.broker.fix;

import org.jspecify.annotations.NullMarked;
