import fc from "fast-check";
import { inputSeed } from "./random-numbers.ts";

/**
 * Property tests try the same inputs in every run, so that a change fails by what it does and not by luck. A number
 * in FAST_CHECK_SEED tries others.
 */
fc.configureGlobal({ seed: inputSeed });
