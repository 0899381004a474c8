/** What operators do and see: suspension, kill switch, groups, upgrade, audit and search. */
@NullMarked
package dev.berth.acceptance.fleet;

import org.jspecify.annotations.NullMarked;
