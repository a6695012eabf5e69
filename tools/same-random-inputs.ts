import fc from "fast-check";

/**
 * Property tests try the same inputs in every run, so that a change fails by what it does and not by luck. A number
 * in FAST_CHECK_SEED tries others.
 */
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_121) });
