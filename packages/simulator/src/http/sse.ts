/** One server-sent event without a name, as OpenAI's chat completions and Gemini send it. */
export function dataEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** One named server-sent event whose name repeats the data's `type`. */
export function namedEvent(data: { readonly type: string; readonly [member: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
