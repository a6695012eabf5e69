/** One event as wire text with the name in its own line, as Anthropic's and OpenAI's Responses streams have it. */
export function namedEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** One event as wire text without a name, as chat completions have it. */
export function dataEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
