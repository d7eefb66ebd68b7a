import { Console, Effect, Redacted } from "effect"
import { AsJson } from "./AsJson.ts"
import { contentInShell, type GeneratedRootKey } from "./RootKeyPlace.ts"

/** What the start banner shows. */
export interface Started {
  readonly url: string
  /** Where this process itself listens, as a URL of this machine. */
  readonly ownUrl: string
  /** The URL of the port for operators, if there is one. */
  readonly opsUrl: string | undefined
  readonly database: string
  /** How mails are sent, in words. */
  readonly mail: string
  /** Whether the console is served. */
  readonly console: boolean
  /** Whether mails, webhooks and logout notices are delivered. */
  readonly delivers: boolean
  /** How many processes serve the port. */
  readonly workers: number
  /** Whether callers can move the clock and let things fail. */
  readonly testMode: boolean
  /** Where the root key is, if this start has generated it. */
  readonly rootKey: GeneratedRootKey | undefined
  /** The root key as a shell writes it, where this start has not generated it; undefined: nobody knows where it is. */
  readonly knownKey: string | undefined
}

const rootKeyLines = (rootKey: GeneratedRootKey): string =>
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

/**
 * The service's URL, its database and mail, and a call that works when pasted. The call goes to this very process: behind the
 * public URL there may be another service, such as the one whose copy this is.
 */
const banner = (started: Started): string => {
  const { url, ownUrl, opsUrl, database, mail, delivers, workers, testMode, rootKey, knownKey } = started
  const key = rootKey === undefined ? knownKey : generatedInShell(rootKey)
  const lines = [
    "",
    `  Sallyport is ready at ${url}`,
    ...(ownUrl === url ? [] : [`  Listens at: ${ownUrl}`]),
    ...(started.console ? [`  Console: ${url}/console`] : []),
    `  Database: ${database}`,
    ...(delivers ? [] : ["  Deliveries: off, so e-mails, webhooks and logout notices wait (SALLYPORT_DELIVERIES)"]),
    `  Mail: ${mail}`,
    ...(workers === 1 ? [] : [`  Workers: ${workers}`]),
    ...(opsUrl === undefined ? [] : [`  Operations: ${opsUrl}/readyz, /healthz and /metrics`]),
    ...(testMode
      ? ["  Test mode: callers can move the clock and make things fail. Never use it with real users."]
      : []),
    ...(rootKey === undefined ? [] : ["", rootKeyLines(rootKey)]),
    "",
    ...(key === undefined ? [] : firstCall(ownUrl, key))
  ]
  return lines.join("\n")
}

/** Where a generated root key is, for programs: their output is often kept, so the key itself is not in it. */
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
}: Started) => ({
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

/** Prints what was started: a line of JSON with `--json`, otherwise lines for people. */
export const printBanner = Effect.fnUntraced(function* (started: Started) {
  yield* Console.log((yield* AsJson) ? JSON.stringify(bannerJson(started)) : banner(started))
})

/** Prints what is said of a root key that a start has generated which then failed. */
export const printRootKey = Effect.fnUntraced(function* (rootKey: GeneratedRootKey) {
  yield* Console.log((yield* AsJson) ? JSON.stringify(rootKeyJson(rootKey)) : rootKeyLines(rootKey))
})
