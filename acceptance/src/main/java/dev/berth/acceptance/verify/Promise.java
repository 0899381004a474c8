package dev.berth.acceptance.verify;

/** A promise of Berth that can be checked from outside. */
interface Promise {
    Finding examine(Evidence evidence);
}
