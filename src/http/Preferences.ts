/** Whether a `Prefer` header asks that nothing be ignored: `handling=strict` (RFC 7240 §4.4). Of several `handling`, the first counts. */
export const prefersStrict = (header: string | undefined): boolean => {
  if (header === undefined) return false
  const handling = /(?:^|,)\s*handling\s*=\s*"?([a-z]+)"?\s*(?:[,;]|$)/iu.exec(header)
  return handling?.[1]?.toLowerCase() === "strict"
}
