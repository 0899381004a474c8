/** What is in an account at its broker, and what a user may ask of it. */
@NullMarked
package dev.berth.workflows.account;

import org.jspecify.annotations.NullMarked;
