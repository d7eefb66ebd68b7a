/**
 * Whether a `Prefer` header contains `handling=strict`, so that nothing may be ignored (RFC 7240 §4.4). The first `handling`
 * counts.
 */
export const prefersStrict = (header: string | undefined): boolean => {
  if (header === undefined) return false
  const handling = /(?:^|,)\s*handling\s*=\s*"?([a-z]+)"?\s*(?:[,;]|$)/iu.exec(header)
  return handling?.[1]?.toLowerCase() === "strict"
}
