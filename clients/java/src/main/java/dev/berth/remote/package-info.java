/**
 * Serves broker accounts on this machine to Berth. Start with
 * {@link dev.berth.remote.RemoteAgent}; docs/remote.md has the protocol.
 */
@NullMarked
package dev.berth.remote;

import org.jspecify.annotations.NullMarked;
