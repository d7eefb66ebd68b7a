import { isIP } from "node:net"
import type { Duplex } from "node:stream"
import { PassThrough } from "node:stream"
import type { ConnectionOptions } from "node:tls"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Semaphore from "effect/Semaphore"
import type { SqlError } from "effect/sql/SqlError"
import { detailOf, isReadOnly, isUnreachable } from "./DatabaseRefused.ts"
import { hostIn, urlsOf } from "./HostList.ts"
import { addressOf, isEncrypted, openWatched } from "./SilentServer.ts"

/**
 * With this setting, a session can start only on a server that accepts writes. A standby rejects it, and so does a server
 * that is read-only by default. Later transactions are not affected, since they use the server's default.
 */
export const REQUIRE_WRITABLE = { transaction_read_only: "off" } as const

/** If there are several servers, how long each may take to open a connection when asked whether it accepts writes. */
const ASK_WITHIN_MILLIS = 2_000

/** The state of one of several servers. `detail` is the reason a connection failed. */
export interface ServerState {
  readonly host: string
  readonly state: "TakesWrites" | "ReadOnly" | "Failed"
  readonly detail: string
}

/** The servers of a database, of which one accepts writes, and the connections to that server. */
export interface Servers {
  /** Finds the server that accepts writes, unless it is already known. Run this before opening a connection. */
  readonly find: Effect.Effect<void>
  /** Opens connections to the server that was found. Each is closed if the server is silent for `answerWithin` seconds. */
  readonly openerOf: (answerWithin: number) => () => Duplex
  /** Asks all servers at the same time. Empty if there is only one. */
  readonly survey: Effect.Effect<ReadonlyArray<ServerState>>
  /** Further options for each connection. */
  readonly options: Pick<PgConnection.Config, "ssl">
  /** Closes all connections, so that new ones are opened. */
  readonly closeAll: () => void
}

/** Creates a connection that fails, like one to an unreachable server. */
const failed = (message: string): Duplex =>
  new PassThrough().destroy(Object.assign(new Error(message), { code: "08001" }))

/**
 * TLS options that verify the server's name. The name is read when a connection needs it, because only then is the server
 * known.
 */
const tlsOf = (url: () => string): ConnectionOptions => {
  const name = () => {
    const address = addressOf(url())
    return "host" in address ? address.host : undefined
  }
  return {
    get host() {
      return name()
    },
    get servername() {
      const host = name()
      return host === undefined || isIP(host) !== 0 ? undefined : host
    }
  }
}

/**
 * The servers in a URL. If there are several, the one that accepts writes is found by asking: first the server last known
 * to accept them, then all others at the same time. `session` are the settings with which connections start, and `password`
 * is their password.
 */
export const makeServers = (
  url: Redacted.Redacted,
  session: PgConnection.Config,
  password: Effect.Effect<Redacted.Redacted>
): Servers => {
  const urls = urlsOf(Redacted.value(url))
  const encrypted = isEncrypted(urls[0])
  const isSeveral = urls.length > 1
  const opened = new Set<Duplex>()
  const mutex = Semaphore.makeUnsafe(1)
  let current: string = urls[0]
  let isKnown = !isSeveral
  let wasFound = false
  let problem: string | undefined
  let searches = 0

  /** Succeeds if a server accepts writes, and otherwise fails with the server's error. */
  const ask = (one: string) =>
    Effect.scoped(
      PgConnection.make({
        ...session,
        url: Redacted.make(one),
        password,
        connectTimeout: ASK_WITHIN_MILLIS,
        stream: () => openWatched(addressOf(one), ASK_WITHIN_MILLIS, encrypted)
      })
    ).pipe(Effect.as(one))

  const search = Effect.gen(function* () {
    const errors = new Map<string, SqlError>()
    const askAndRecord = (one: string) =>
      Effect.tapError(ask(one), (error) => Effect.sync(() => errors.set(one, error)))
    const others = urls.filter((one) => one !== current)
    const found = yield* askAndRecord(current).pipe(
      Effect.catch(() => Effect.raceAll(others.map(askAndRecord))),
      Effect.orElseSucceed(() => undefined)
    )
    searches += 1
    if (found === undefined) {
      // If all servers fail in the same way, for example because of a wrong password, the connection should get that error
      // from the server.
      const isAnyAway = [...errors.values()].some(isUnreachable)
      const answers = [...errors].map(
        ([one, error]) => `${hostIn(one)}: ${isReadOnly(error) ? "read-only" : detailOf(error)}`
      )
      problem = isAnyAway ? `None of the servers accepts writes (${answers.join("; ")})` : undefined
      return
    }
    const before = current
    current = found
    problem = undefined
    isKnown = true
    if (wasFound && before !== found) {
      yield* Effect.logWarning("Another server of the database accepts writes now.").pipe(
        Effect.annotateLogs({ server: hostIn(found), before: hostIn(before) })
      )
    }
    wasFound = true
  })

  // If another connection has searched in the meantime, its result is used.
  const find = Effect.suspend(() => {
    const before = searches
    if (isKnown) return Effect.void
    return mutex.withPermit(Effect.suspend(() => (isKnown || searches > before ? Effect.void : search)))
  })

  const survey = Effect.forEach(
    isSeveral ? urls : [],
    (one) =>
      Effect.match(ask(one), {
        onSuccess: (): ServerState => ({ host: hostIn(one), state: "TakesWrites", detail: "" }),
        onFailure: (error): ServerState => ({
          host: hostIn(one),
          state: isReadOnly(error) ? "ReadOnly" : "Failed",
          detail: detailOf(error)
        })
      }),
    { concurrency: "unbounded" }
  )

  return {
    find,
    survey,
    openerOf: (answerWithin) => () => {
      if (problem !== undefined) return failed(problem)
      const stream = openWatched(addressOf(current), answerWithin * 1000, encrypted)
      opened.add(stream)
      stream.once("close", () => {
        opened.delete(stream)
        isKnown = !isSeveral
      })
      return stream
    },
    options: isSeveral && encrypted ? { ssl: tlsOf(() => current) } : {},
    closeAll: () => opened.forEach((stream) => stream.destroy())
  }
}
