/** Accounts at a broker, their credentials and their sessions. */
@NullMarked
package dev.berth.acceptance.account;

import org.jspecify.annotations.NullMarked;
