/** For how many days a subdomain that an app gave up is kept for its realm: links and redirects to it are still about. */
export const SUBDOMAIN_DAYS = 90

/** A label of DNS, without those that stand for names of other scripts. */
const LABEL = /^(?!..--)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/

/** As long as leaves room for what makes it nobody else's. */
const STEM_LENGTH = 48

/** What people, browsers and mail programs would take for the service's own. */
const reserved: ReadonlySet<string> = new Set(
  `abuse account accounts admin administrator api assets auth autoconfig autodiscover billing cdn dns docs ftp health help
  hostmaster id imap localhost login mail metrics mta-sts mx ns ns1 ns2 oauth pop postmaster root sallyport security signin
  signup smtp sso static status support webmaster wpad www`.split(/\s+/)
)

/** The one form of a subdomain: names in DNS know no case. */
export const canonicalSubdomain = (typed: string): string => typed.trim().toLowerCase()

/** What is wrong with a subdomain in that form. */
export const subdomainProblem = (subdomain: string): "subdomain_form" | "reserved" | undefined => {
  if (!LABEL.test(subdomain)) return "subdomain_form"
  return reserved.has(subdomain) ? "reserved" : undefined
}

/** What a subdomain that is made of a name begins with. */
export const subdomainStem = (name: string): string => {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()
  const label = plain.replaceAll(/[^a-z\d]+/g, "-").replace(/^-/, "")
  return label.slice(0, STEM_LENGTH).replace(/-$/, "") || "app"
}
