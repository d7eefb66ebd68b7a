import { urlsOf } from "#sql/HostList"

/** The form of a PostgreSQL URL: at most one `@`, and no `/`, `:`, `?` or `#` that would end a part too early. */
const FORM = /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?[^@/?#]*(?:\/[^@/:?#]*)?(?:\?[^@#]*)?$/

const isPercentEncoded = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== ""
  } catch {
    return false
  }
}

/** The values of `target_session_attrs` that make libpq require a server that accepts writes. */
const PRIMARY_ATTRS: ReadonlySet<string> = new Set(["read-write", "primary"])

/**
 * The values of `sslmode` that either require or forbid TLS. With several hosts, it must not depend on which one is
 * reached.
 */
const STRICT_TLS_MODES: ReadonlySet<string> = new Set(["disable", "require", "verify-ca", "verify-full"])

const sameHost = (url: string): string => {
  const { hostname, port } = new URL(url)
  return `${hostname.toLowerCase()}:${port === "" ? "5432" : port}`
}

/** Returns the problem with a URL that lists several hosts, as a sentence, or undefined if there is none. */
const listProblem = (name: string, url: string): string | undefined => {
  const urls = urlsOf(url)
  const given = URL.parse(urls[0])?.searchParams
  const isSeveral = urls.length > 1
  if (isSeveral && !urls.every((one) => URL.canParse(one) && new URL(one).hostname !== "")) {
    return `${name} must separate hosts with commas, and give each its port unless that is 5432, such as postgres://user:password@db1:5432,db2:5432/name.`
  }
  if (
    given?.get("host")?.includes(",") === true ||
    (isSeveral && (given?.has("host") === true || given?.has("port") === true))
  ) {
    return `${name} must list several hosts as postgres://user:password@db1:5432,db2:5432/name, not in the parameters host and port.`
  }
  if (!isSeveral) return undefined
  if (new Set(urls.map(sameHost)).size < urls.length) return `${name} names the same host twice.`
  if (!PRIMARY_ATTRS.has(given?.get("target_session_attrs") ?? "primary")) {
    return `${name} only allows read-write or primary as target_session_attrs, because every connection leads to the server that accepts writes.`
  }
  if (STRICT_TLS_MODES.has(given?.get("sslmode") ?? "disable")) return undefined
  return `${name} names several hosts, so its sslmode must be disable, require, verify-ca or verify-full.`
}

/** Whether a URL names several hosts. */
export const hasSeveralHosts = (url: string): boolean => urlsOf(url).length > 1

/**
 * Explains in one sentence why a setting is not a database URL, without repeating any part of its value. Returns
 * undefined if it may be one. `alternative`: text to add to the sentence if the setting also allows another kind of
 * value.
 */
export const databaseUrlProblem = (name: string, url: string, alternative = ""): string | undefined => {
  if (!/^postgres(?:ql)?:\/\//.test(url)) return `${name} must start with postgres://${alternative}.`
  if (FORM.test(url) && isPercentEncoded(url) && (hasSeveralHosts(url) || URL.canParse(url)))
    return listProblem(name, url)
  return `${name} must be postgres://user:password@host:5432/name. In the user name and the password, write % as %25, @ as %40, : as %3A, / as %2F, ? as %3F and # as %23.`
}
