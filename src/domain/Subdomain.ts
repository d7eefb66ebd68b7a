/** How many days a subdomain stays reserved for its realm after an app stops using it, since links to it may still exist. */
export const SUBDOMAIN_HOLD_DAYS = 90

/** A DNS label, except for labels of internationalized names. */
const LABEL = /^(?!..--)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/

/** The maximum length of a subdomain derived from a name. It leaves room for a suffix that makes the subdomain unique. */
const STEM_LENGTH = 48

/** Names that people, browsers or mail clients could mistake for the service's own. */
const reserved: ReadonlySet<string> = new Set(
  `abuse account accounts admin administrator api assets auth autoconfig autodiscover billing cdn console dns docs ftp health
  help hostmaster id imap localhost login mail metrics mta-sts mx ns ns1 ns2 oauth pop postmaster root sallyport security signin
  signup smtp sso static status support webmaster wpad www`.split(/\s+/)
)

/** The canonical form of a subdomain. DNS names are case-insensitive. */
export const canonicalSubdomain = (typed: string): string => typed.trim().toLowerCase()

/** Validates a canonical subdomain. */
export const subdomainProblem = (subdomain: string): "subdomain_form" | "reserved" | undefined => {
  if (!LABEL.test(subdomain)) return "subdomain_form"
  return reserved.has(subdomain) ? "reserved" : undefined
}

/** Derives the beginning of a subdomain from a name. */
export const subdomainStem = (name: string): string => {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()
  const label = plain.replaceAll(/[^a-z\d]+/g, "-").replace(/^-/, "")
  return label.slice(0, STEM_LENGTH).replace(/-$/, "") || "app"
}
