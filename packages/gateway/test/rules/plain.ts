/** Without the ids, which differ each time. */
export function plain(line: string): string {
  return line.replaceAll(/\b[a-z]+[_-][\w-]{8,}/g, "ID").replaceAll(/[0-9a-f-]{36}/g, "ID");
}

/** Without ids, times and what is sealed, too. */
export function plainAnswer(text: string): string {
  return plain(text)
    .replaceAll(/"(\w*[iI]d|encrypted_content)":\s*"[^"]*"/g, '"$1":"ID"')
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{10,}\b/g, "TIME");
}
