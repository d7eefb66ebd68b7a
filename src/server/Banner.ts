import { Redacted } from "effect"
import { contentInShell, type GeneratedRootKey } from "./RootKeyPlace.ts"

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
  /** The root key as a shell writes it, where this start has not generated it; undefined: nobody knows where it is. */
  readonly knownKey: string | undefined
}

/** What is said of a root key that this start has generated, even if the start then fails. */
export const rootKeyLines = (rootKey: GeneratedRootKey): string =>
  rootKey._tag === "Shown"
    ? `  Root key, generated on first start. Save it now, it won't be shown again:\n    ${Redacted.value(rootKey.key)}`
    : `  Root key, generated on first start. It is in this file, which only its owner can read:\n    ${rootKey.file}`

const generatedInShell = (rootKey: GeneratedRootKey): string =>
  rootKey._tag === "Shown" ? Redacted.value(rootKey.key) : contentInShell(rootKey.file)

const firstCall = (url: string, key: string): ReadonlyArray<string> => [
  "  Create a realm:",
  `    curl -s ${url}/v2/realms -H "Authorization: Bearer ${key}" \\`,
  `      -H "Content-Type: application/json" -d '{"realm":{"name":"Acme"}}'`,
  ""
]

/** The lines printed at the start: the service's URL, its database and mail, and a call that works when pasted. */
export const banner = ({ url, opsUrl, database, mail, workers, rootKey, knownKey }: Started): string => {
  const key = rootKey === undefined ? knownKey : generatedInShell(rootKey)
  const lines = [
    "",
    `  Sallyport is ready at ${url}`,
    `  Database: ${database}`,
    `  Mail: ${mail}`,
    ...(workers === 1 ? [] : [`  Workers: ${workers}`]),
    ...(opsUrl === undefined ? [] : [`  Operations: ${opsUrl}/readyz, /healthz and /metrics`]),
    ...(rootKey === undefined ? [] : ["", rootKeyLines(rootKey)]),
    "",
    ...(key === undefined ? [] : firstCall(url, key))
  ]
  return lines.join("\n")
}
