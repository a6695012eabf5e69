/**
 * Whether the paths that exist for speed alone are in use: `PORTICO_SPEED_PATHS=off` has everything done the plain way,
 * which must come to the same. docs/gateway/speed-paths.md lists them with what each gains.
 */
export const usesSpeedPaths = process.env.PORTICO_SPEED_PATHS !== "off";
