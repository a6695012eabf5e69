import { readFile } from "node:fs/promises";
import { z } from "zod";

const ruleSchema = z.strictObject({
  name: z.string().min(1),
  pattern: z.string().min(1),
  flags: z
    .string()
    .regex(/^[imsu]*$/)
    .default("u"),
  action: z.enum(["mask", "refuse"]),
  replacement: z.string().optional(),
});
const fileSchema = z.strictObject({ rules: z.array(ruleSchema).min(1) });

/** One pattern and what happens to texts that it finds. */
export interface GuardRule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly action: "mask" | "refuse";
  /** What stands in place of a masked text. */
  readonly replacement: string;
}

/**
 * Reads the guard's rules: `{"rules": [{"name", "pattern", "flags"?, "action": "mask" | "refuse", "replacement"?}]}`.
 * @throws Error naming the rule and member at fault
 */
export async function readGuardRules(file: string): Promise<readonly GuardRule[]> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new Error(`The guard's rules cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const parsed = fileSchema.safeParse(content);
  if (!parsed.success) throw new Error(`The guard's rules are not valid: ${z.prettifyError(parsed.error)}`);
  return parsed.data.rules.map(({ name, pattern, flags, action, replacement }) => ({
    name,
    pattern: compile(name, pattern, flags),
    action,
    replacement: replacement ?? `[${name}]`,
  }));
}

function compile(name: string, pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, `${flags}g`);
  } catch (error) {
    throw new Error(`The pattern of the guard's rule ${name} is not valid: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
