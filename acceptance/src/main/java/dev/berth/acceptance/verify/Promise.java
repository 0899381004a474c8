package dev.berth.acceptance.verify;

/** One of the promises that DESIGN.md calls invariants. */
interface Promise {
    Finding examine(Evidence evidence);
}
