/** What the command line and its threads load when there is something to format. */
import { switchVerbatim } from "../lines/verbatim/verbatim-reader.ts";
import { isOff } from "../util/speed-paths.ts";

export { formatFile } from "./format-file.ts";
export { formatMany } from "./format-many.ts";
export { formatCode, formatStdin } from "./format-stream.ts";
export { formatTask } from "./format-task.ts";
export { formatSample } from "./warm-up.ts";

switchVerbatim(!isOff("verbatim"));
