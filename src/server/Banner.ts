import { Console, Effect, Redacted } from "effect"
import { AsJson } from "./AsJson.ts"
import { contentInShell, type GeneratedRootKey } from "./GeneratedRootKey.ts"

/** The facts that the start banner shows. */
export interface StartFacts {
  readonly url: string
  /** The URL on this machine at which this process listens. */
  readonly ownUrl: string
  /** The URL of the port for operators, if there is one. */
  readonly opsUrl: string | undefined
  readonly database: string
  /** A description of how emails are sent. */
  readonly mail: string
  /** Whether the console is served. */
  readonly console: boolean
  /** Whether emails, webhooks and logout notices are delivered. */
  readonly delivers: boolean
  /** The number of processes that serve the port. */
  readonly workers: number
  /** Whether callers can move the clock and inject failures. */
  readonly testMode: boolean
  /** The root key, or the file it was stored in, if this start generated one. */
  readonly rootKey: GeneratedRootKey | undefined
  /** A link that logs in to the console with the root key once, if this start shows the root key. */
  readonly loginUrl: string | undefined
  /** A shell expression for a root key that this start did not generate. Undefined if its location is unknown. */
  readonly knownKey: string | undefined
}

const rootKeyLines = (rootKey: GeneratedRootKey): string =>
  rootKey._tag === "Shown"
    ? `  Root key, generated on first start. Save it now, it won't be shown again:\n    ${Redacted.value(rootKey.key)}`
    : `  Root key, generated on first start. It is in this file, which only its owner can read:\n    ${rootKey.file}`

const loginLines = (loginUrl: string): ReadonlyArray<string> => [
  "",
  "  This link logs in to the console with the root key, once and within 15 minutes:",
  `    ${loginUrl}`
]

const generatedInShell = (rootKey: GeneratedRootKey): string =>
  rootKey._tag === "Shown" ? Redacted.value(rootKey.key) : contentInShell(rootKey.file)

const firstCall = (url: string, key: string): ReadonlyArray<string> => [
  "  Create a realm:",
  `    curl -s ${url}/v2/realms -H "Authorization: Bearer ${key}" \\`,
  `      -H "Content-Type: application/json" -d '{"realm":{"name":"Acme"}}'`,
  ""
]

/**
 * The banner text: the service's URL, its database and mail server, and a first command to paste. The command uses this
 * process's own URL, because the public URL may belong to another service, such as the one that this is a copy of.
 */
const banner = (started: StartFacts): string => {
  const { url, ownUrl, opsUrl, database, mail, delivers, workers, testMode, rootKey, loginUrl, knownKey } = started
  const key = rootKey === undefined ? knownKey : generatedInShell(rootKey)
  const lines = [
    "",
    `  Sallyport is ready at ${url}`,
    ...(ownUrl === url ? [] : [`  Listens at: ${ownUrl}`]),
    ...(started.console ? [`  Console: ${url}/console`] : []),
    `  Database: ${database}`,
    ...(delivers ? [] : ["  Deliveries: off, so emails, webhooks and logout notices wait (SALLYPORT_DELIVERIES)"]),
    `  Mail: ${mail}`,
    ...(workers === 1 ? [] : [`  Workers: ${workers}`]),
    ...(opsUrl === undefined ? [] : [`  Operations: ${opsUrl}/readyz, /healthz and /metrics`]),
    ...(testMode
      ? ["  Test mode: callers can move the clock and make things fail. Never use it with real users."]
      : []),
    ...(rootKey === undefined ? [] : ["", rootKeyLines(rootKey)]),
    ...(loginUrl === undefined ? [] : loginLines(loginUrl)),
    "",
    ...(key === undefined ? [] : firstCall(ownUrl, key))
  ]
  return lines.join("\n")
}

/** The path of the file with a generated root key. The key itself is left out, because programs often store this output. */
const rootKeyJson = (rootKey: GeneratedRootKey | undefined) =>
  rootKey?._tag === "Stored" ? { root_key_file: rootKey.file } : {}

const bannerJson = ({
  url,
  ownUrl,
  opsUrl,
  database,
  mail,
  delivers,
  workers,
  testMode,
  rootKey,
  ...started
}: StartFacts) => ({
  url,
  own_url: ownUrl,
  console_url: started.console ? `${url}/console` : null,
  ops_url: opsUrl ?? null,
  database,
  mail,
  deliveries: delivers ? "on" : "off",
  workers,
  ...(testMode ? { test_mode: true } : {}),
  ...rootKeyJson(rootKey)
})

/** Prints the facts about a start: one line of JSON with `--json`, otherwise text. */
export const printBanner = Effect.fnUntraced(function* (started: StartFacts) {
  yield* Console.log((yield* AsJson) ? JSON.stringify(bannerJson(started)) : banner(started))
})

/** Prints the root key that a start generated before it failed. */
export const printRootKey = Effect.fnUntraced(function* (rootKey: GeneratedRootKey) {
  yield* Console.log((yield* AsJson) ? JSON.stringify(rootKeyJson(rootKey)) : rootKeyLines(rootKey))
})
