/** An answer's id in a dialect's form: its prefix and the call id without dashes. */
export function answerId(prefix: string, callId: string, part?: number): string {
  const id = `${prefix}${callId.replace(/[^A-Za-z0-9]/g, "")}`;
  return part === undefined ? id : `${id}${part.toString(16).padStart(4, "0")}`;
}
