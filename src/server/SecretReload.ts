import { Clock, Effect, Queue, Redacted } from "effect"
import { ApiKeys } from "#core/access/ApiKeys"
import { Nodes } from "#core/nodes/Nodes"
import { Secrets } from "#platform/Secrets"
import { changedUrl } from "#sql/HostList"
import { hasSecretFiles, type Settings, settings } from "./Config.ts"

/** How often files are looked at, and how long after a look the next value under an unknown key may cause another. */
const PERIOD = "5 seconds"
const ON_DEMAND_NANOS = 2_000_000_000n

/** How long a file has to stay as it is, so that it is not read while it is written. */
const SETTLED = "50 millis"

/** The settings in force: those of the start, with the secrets that files have now. */
export interface CurrentSettings {
  settings: Settings
}

/** The secrets of settings, by what they are called. */
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

/** Which changes take a restart: another database, and whether there is a mail server or are keys at all. */
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

/** Calls a listener on SIGHUP, unless a terminal hangs up by it, for as long as the scope is open. */
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
 * SIGHUP does not end a process whose secrets come from files, for as long as the scope is open. During the start that is all: the
 * first look finds what has changed meanwhile.
 */
export const surviveHangUps = Effect.flatMap(hasSecretFiles, (hasFiles) =>
  hasFiles ? onHangUp(() => undefined) : Effect.void
)

/**
 * Reads secrets again from their files: when a file has changed, on SIGHUP, and when a value is met that is encrypted with an
 * unknown key (C227). Files are looked at again and again, not watched: a mounted secret is replaced by moving a link.
 */
export const reloadSecrets = Effect.fnUntraced(function* (current: CurrentSettings) {
  if (!(yield* hasSecretFiles)) return
  const clock = yield* Clock.Clock
  const secrets = yield* Secrets
  const apiKeys = yield* ApiKeys
  const nodes = yield* Nodes
  let told = ""
  let lookedAt = 0n

  const refuse = (why: string) =>
    Effect.suspend(() => {
      if (why === told) return Effect.void
      told = why
      return Effect.logWarning(
        "Secrets can't be read again from their files. The service goes on with those that it has."
      ).pipe(Effect.annotateLogs({ problems: why }))
    })

  /** What the files have now, and the names of what has changed. Undefined: nothing has, or nothing that can be used. */
  const look = Effect.gen(function* () {
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
    const { found, changed = [] } = (yield* look) ?? {}
    if (found === undefined) return
    if (changed.includes("SALLYPORT_SECRET")) {
      secrets.setKeys(found.secrets)
      // The others encrypt with a new key once they know that it is here.
      yield* nodes.beat
    }
    if (changed.includes("SALLYPORT_ROOT_KEY")) yield* apiKeys.ensureRoot(found.rootKey)
    current.settings = found
    told = ""
    yield* Effect.logInfo("Secrets were read again from their files.").pipe(
      Effect.annotateLogs({ settings: changed.join(", ") })
    )
    // While the database is away nothing is stored: the next look finds the same change.
  }).pipe(Effect.catchCause(() => Effect.void))

  // A request that meets an unknown key may be in a transaction, so it only takes the keys. The next look does the rest.
  const takeKeys = Effect.map(look, (news) => {
    if (news?.changed.includes("SALLYPORT_SECRET") === true) secrets.setKeys(news.found.secrets)
  })
  secrets.setReload(
    Effect.suspend(() => (clock.monotonicTimeNanosUnsafe() - lookedAt < ON_DEMAND_NANOS ? Effect.void : takeKeys))
  )

  const signals = yield* Queue.dropping<"Reload">(1)
  yield* onHangUp(() => void Queue.offerUnsafe(signals, "Reload"))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.timeoutOption(Queue.take(signals), PERIOD), reload)))
})
