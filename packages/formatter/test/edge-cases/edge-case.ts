/** One recorded run of Black's command line. */
export interface EdgeCase {
  readonly title: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Shell command that prepares the folder; `{B}` stands for the program. */
  readonly preparation: string | undefined;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly stdin: Buffer | undefined;
  /** `undefined` when Black ran into the time limit. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Files as they are afterwards, where recorded. */
  readonly after: ReadonlyMap<string, Buffer>;
}
