/**
 * Something outside of the program keeps the gateway from starting: a setting, a file, a server. Its message is one
 * sentence for the operator that names the setting and the next step; it is shown without a place in the program.
 */
export class SetupError extends Error {
  override readonly name = "SetupError";
}
