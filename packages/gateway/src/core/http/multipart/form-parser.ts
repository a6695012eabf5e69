import busboy from "busboy";

/**
 * The one place where parsers of `multipart/form-data` are made. A form that breaks off ends its files in an error,
 * also those that nobody reads or does not read yet; one that nobody listens to would end the process. Whoever reads a
 * file gets the error all the same.
 * @throws Error for a content type that is none, or has no boundary
 */
export function formParser(config: busboy.BusboyConfig): busboy.Busboy {
  const parser = busboy(config);
  parser.on("file", (_field, stream) => stream.on("error", () => undefined));
  return parser;
}
