import { Redacted } from "effect"
import type { GeneratedRootKey } from "./RootKey.ts"

/** What the start banner shows. */
export interface Started {
  readonly url: string
  /** The URL of the port for operators, if there is one. */
  readonly opsUrl: string | undefined
  readonly database: string
  /** How mails are sent, in words. */
  readonly mail: string
  /** How many processes serve the port. */
  readonly workers: number
  /** Where the root key is, if this start has generated it. */
  readonly rootKey: GeneratedRootKey | undefined
}

/** What is said of a root key that this start has generated, even if the start then fails. */
export const rootKeyLines = (rootKey: GeneratedRootKey): string =>
  rootKey._tag === "Shown"
    ? `  Root key, generated on first start. Save it now, it won't be shown again:\n    ${Redacted.value(rootKey.key)}`
    : `  Root key, generated on first start. It is in this file, which only its owner can read:\n    ${rootKey.file}`

/** The root key as a shell writes it. */
const keyInShell = (rootKey: GeneratedRootKey | undefined): string => {
  if (rootKey === undefined) return "$SALLYPORT_ROOT_KEY"
  if (rootKey._tag === "Shown") return Redacted.value(rootKey.key)
  return `$(cat '${rootKey.file.replaceAll("'", "'\\''")}')`
}

/** The lines printed at the start: the service's URL, its database and mail, and a call that works when pasted. */
export const banner = ({ url, opsUrl, database, mail, workers, rootKey }: Started): string => {
  const lines = [
    "",
    `  Sallyport is ready at ${url}`,
    `  Database: ${database}`,
    `  Mail: ${mail}`,
    ...(workers === 1 ? [] : [`  Workers: ${workers}`]),
    ...(opsUrl === undefined ? [] : [`  Operations: ${opsUrl}/readyz and ${opsUrl}/metrics`]),
    ...(rootKey === undefined ? [] : ["", rootKeyLines(rootKey)]),
    "",
    "  Create a realm:",
    `    curl -s ${url}/v2/realms -H "Authorization: Bearer ${keyInShell(rootKey)}" \\`,
    `      -H "Content-Type: application/json" -d '{"realm":{"name":"Acme"}}'`,
    ""
  ]
  return lines.join("\n")
}
