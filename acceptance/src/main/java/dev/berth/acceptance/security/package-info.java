/** What a worker in foreign hands cannot do, and where secrets cannot be read. */
@NullMarked
package dev.berth.acceptance.security;

import org.jspecify.annotations.NullMarked;
