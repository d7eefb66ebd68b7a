import { Redacted } from "effect"

/** What a newcomer needs to know when the service has started. */
export interface Started {
  readonly url: string
  /** Where operators look, if that is elsewhere. */
  readonly opsUrl: string | undefined
  readonly database: string
  /** Which way mails leave. */
  readonly mail: string
  /** A management key that was generated just now. */
  readonly rootKey: Redacted.Redacted | undefined
}

/** The lines printed at start: where the service is, what it runs on, and a call that works when pasted. */
export const banner = ({ url, opsUrl, database, mail, rootKey }: Started): string => {
  const key = rootKey === undefined ? "$SALLYPORT_ROOT_KEY" : Redacted.value(rootKey)
  const lines = [
    "",
    `  Sallyport is ready at ${url}`,
    `  Database: ${database}`,
    `  Mail: ${mail}`,
    ...(opsUrl === undefined ? [] : [`  Operations: ${opsUrl}/readyz and ${opsUrl}/metrics`]),
    ...(rootKey === undefined
      ? []
      : ["", "  Root key, generated on first start. Save it now, it won't be shown again:", `    ${key}`]),
    "",
    "  Create a realm:",
    `    curl -s ${url}/v2/realms -H "Authorization: Bearer ${key}" \\`,
    `      -H "Content-Type: application/json" -d '{"realm":{"name":"Acme"}}'`,
    ""
  ]
  return lines.join("\n")
}
