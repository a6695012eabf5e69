import type { Exchange, StreamedReply } from "../../contract/exchange.ts";

/** Whether a caller asks for CSV: by the query, or where that says nothing by its `Accept`. */
export function wantsCsv(format: "json" | "csv" | undefined, { accept }: Exchange["headers"]): boolean {
  return format === undefined ? /\btext\/csv\b/.test(accept ?? "") : format === "csv";
}

/** A file of CSV, which is sent while it is written. @param lines whole lines, any number at a time */
export function csvReply(
  name: string,
  columns: readonly string[],
  lines: AsyncIterable<string>,
): StreamedReply {
  return {
    status: 200,
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
    },
    stream: encoded(columns, lines),
  };
}

async function* encoded(
  columns: readonly string[],
  lines: AsyncIterable<string>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${columns.join(",")}\r\n`);
  for await (const written of lines) yield Buffer.from(written);
}
