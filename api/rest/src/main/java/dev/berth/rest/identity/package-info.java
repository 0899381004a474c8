/** Who calls: what the tokens of an identity provider say, and which user and scopes that is. */
@NullMarked
package dev.berth.rest.identity;

import org.jspecify.annotations.NullMarked;
