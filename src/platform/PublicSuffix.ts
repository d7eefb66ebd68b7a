import { parse } from "tldts"

/**
 * Returns whether a domain in ASCII can belong to an organization: it is below a public suffix (`registrable`), a suffix itself
 * such as co.uk or github.io (`suffix`), or under no known suffix (`unknown`).
 */
export const registrability = (domain: string): "registrable" | "suffix" | "unknown" => {
  const {
    domain: registrable,
    isIcann,
    isPrivate,
    publicSuffix
  } = parse(domain, {
    allowPrivateDomains: true,
    validateHostname: false
  })
  if (isIcann !== true && isPrivate !== true) return "unknown"
  return registrable === null || publicSuffix === domain ? "suffix" : "registrable"
}
