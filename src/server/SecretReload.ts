import { Clock, Effect, Queue, Redacted } from "effect"
import { ApiKeys } from "#core/access/ApiKeys"
import { Nodes } from "#core/nodes/Nodes"
import { Secrets } from "#platform/Secrets"
import { changedUrl } from "#sql/HostList"
import { hasSecretFiles, type Settings, settings } from "./Config.ts"

/** How often the files are checked, and the minimum time between a check and one that is triggered by an unknown key. */
const PERIOD = "5 seconds"
const ON_DEMAND_NANOS = 2_000_000_000n

/** How long a file must be unchanged before it is read, so that it isn't read while being written. */
const SETTLED = "50 millis"

/** The current settings: the settings at the start, with the current secrets from the files. */
export interface CurrentSettings {
  settings: Settings
}

/** The secrets among the settings, by name. */
const secretsIn = ({ secrets, rootKey, smtpUrl, database }: Settings): Readonly<Record<string, string>> => ({
  SALLYPORT_SECRET: secrets.map(Redacted.value).join(","),
  SALLYPORT_ROOT_KEY: rootKey === undefined ? "" : Redacted.value(rootKey),
  SALLYPORT_SMTP_URL: smtpUrl === undefined ? "" : Redacted.value(smtpUrl),
  DATABASE_URL: database._tag === "Postgres" ? Redacted.value(database.url) : database._tag,
  DATABASE_REPLICA_URL:
    database._tag === "Postgres" && database.replica !== undefined ? Redacted.value(database.replica.url) : ""
})

const changesOf = (before: Settings, after: Settings): ReadonlyArray<string> => {
  const [old, fresh] = [secretsIn(before), secretsIn(after)]
  return Object.keys(old).filter((name) => old[name] !== fresh[name])
}

const withoutPassword = (text: string): string =>
  changedUrl(text, (url) => {
    url.password = ""
  }) ?? text

/** The changed settings that require a restart: a different database, or adding or removing a mail server or encryption keys. */
const needsRestart = (before: Settings, after: Settings): ReadonlyArray<string> => {
  const [old, fresh] = [secretsIn(before), secretsIn(after)]
  const appeared = (name: string) => (old[name] === "") !== (fresh[name] === "")
  return ["SALLYPORT_SECRET", "SALLYPORT_SMTP_URL", "SALLYPORT_ROOT_KEY"]
    .filter(appeared)
    .concat(
      ["DATABASE_URL", "DATABASE_REPLICA_URL"].filter(
        (name) => withoutPassword(old[name] ?? "") !== withoutPassword(fresh[name] ?? "")
      )
    )
}

/** Calls a listener on SIGHUP while the scope is open, unless the process runs on a terminal. */
const onHangUp = (listener: () => void) =>
  process.stderr.isTTY
    ? Effect.void
    : Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => process.on("SIGHUP", listener)),
          () => Effect.sync(() => process.off("SIGHUP", listener))
        )
      )

/**
 * Prevents SIGHUP from ending a process whose secrets come from files, while the scope is open. During the start, the
 * signal has no other effect, because the first check finds any changes.
 */
export const surviveHangUps = Effect.flatMap(hasSecretFiles, (hasFiles) =>
  hasFiles ? onHangUp(() => undefined) : Effect.void
)

/**
 * Reloads secrets from their files when a file has changed, on SIGHUP, and when a value encrypted with an unknown key
 * is found (C227). Files are polled rather than watched, because a mounted secret is replaced by moving a link.
 */
export const reloadSecrets = Effect.fnUntraced(function* (current: CurrentSettings) {
  if (!(yield* hasSecretFiles)) return
  const clock = yield* Clock.Clock
  const secrets = yield* Secrets
  const apiKeys = yield* ApiKeys
  const nodes = yield* Nodes
  let lastProblem = ""
  let lookedAt = 0n

  const refuse = (why: string) =>
    Effect.suspend(() => {
      if (why === lastProblem) return Effect.void
      lastProblem = why
      return Effect.logWarning(
        "Secrets can't be reloaded from their files. The service continues with the secrets that it has."
      ).pipe(Effect.annotateLogs({ problems: why }))
    })

  /** Returns the current settings and the names of the changed ones, or undefined if nothing usable has changed. */
  const checkFiles = Effect.gen(function* () {
    lookedAt = clock.monotonicTimeNanosUnsafe()
    const first = yield* settings
    if (changesOf(current.settings, first).length === 0) return undefined
    yield* Effect.sleep(SETTLED)
    const found = yield* settings
    if (changesOf(first, found).length > 0) return undefined
    const restarts = needsRestart(current.settings, found)
    if (restarts.length > 0) return yield* refuse(`${restarts.join(", ")}: restart the service to change this.`)
    return { found, changed: changesOf(current.settings, found) }
  }).pipe(Effect.catchTag("ConfigRefused", ({ problems }) => refuse(problems.join(" "))))

  const reload = Effect.gen(function* () {
    const { found, changed = [] } = (yield* checkFiles) ?? {}
    if (found === undefined) return
    if (changed.includes("SALLYPORT_SECRET")) {
      secrets.setKeys(found.secrets)
      // The other nodes encrypt with a new key only once they know that this node has it.
      yield* nodes.beat
    }
    if (changed.includes("SALLYPORT_ROOT_KEY")) yield* apiKeys.ensureRoot(found.rootKey)
    current.settings = found
    lastProblem = ""
    yield* Effect.logInfo("Secrets were reloaded from their files.").pipe(
      Effect.annotateLogs({ settings: changed.join(", ") })
    )
    // If the database is unreachable, nothing is stored, and the next check finds the same change.
  }).pipe(Effect.catchCause(() => Effect.void))

  // A request that finds an unknown key may be in a transaction, so this only loads the keys. The next check does the rest.
  const takeKeys = Effect.map(checkFiles, (news) => {
    if (news?.changed.includes("SALLYPORT_SECRET") === true) secrets.setKeys(news.found.secrets)
  })
  secrets.setReload(
    Effect.suspend(() => (clock.monotonicTimeNanosUnsafe() - lookedAt < ON_DEMAND_NANOS ? Effect.void : takeKeys))
  )

  const signals = yield* Queue.dropping<"Reload">(1)
  yield* onHangUp(() => void Queue.offerUnsafe(signals, "Reload"))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.timeoutOption(Queue.take(signals), PERIOD), reload)))
})
