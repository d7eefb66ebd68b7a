import { isIP } from "node:net"
import type { Duplex } from "node:stream"
import { PassThrough } from "node:stream"
import type { ConnectionOptions } from "node:tls"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Semaphore from "effect/Semaphore"
import type { SqlError } from "effect/sql/SqlError"
import { detailOf, isAway, isReadOnly } from "./DatabaseRefused.ts"
import { hostIn, urlsOf } from "./HostList.ts"
import { addressOf, isEncrypted, openWatched } from "./SilentServer.ts"

/**
 * With this setting a session begins only on a server that takes writes: a standby refuses it, and so does a server whose
 * default is to take none. Each transaction has the server's default again.
 */
export const TAKES_WRITES = { transaction_read_only: "off" } as const

/** How long each of several servers has to open a connection when it is asked whether it takes writes. */
const ASK_WITHIN_MILLIS = 2_000

/** What one of several servers says. `detail`: why a connection failed. */
export interface ServerState {
  readonly host: string
  readonly state: "TakesWrites" | "ReadOnly" | "Failed"
  readonly detail: string
}

/** The servers of a database, of which one takes writes, and the connections to that one. */
export interface Servers {
  /** Finds the server that takes writes, unless it is known. Whoever opens a connection does so first. */
  readonly find: Effect.Effect<void>
  /** Opens connections to the server that was found, each of which is cut when it is silent for so many seconds. */
  readonly openerOf: (answerWithin: number) => () => Duplex
  /** Asks all of several servers at once; empty: there is one. */
  readonly survey: Effect.Effect<ReadonlyArray<ServerState>>
  /** What else a connection begins with. */
  readonly options: Pick<PgConnection.Config, "ssl">
  /** Closes all connections, so that others are opened. */
  readonly closeAll: () => void
}

/** A connection that fails, as one to a server that is away does. */
const failed = (message: string): Duplex =>
  new PassThrough().destroy(Object.assign(new Error(message), { code: "08001" }))

/** What TLS has to check of a server is its name. It is read when a connection asks for it: by then its server is known. */
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
 * The servers that a URL names. If these are several, the one that takes writes is found by asking them: the one that was last
 * right, then all others at once. `session`: what connections begin with; `password`: the password that they have.
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
  const turn = Semaphore.makeUnsafe(1)
  let current: string = urls[0]
  let isKnown = !isSeveral
  let wasFound = false
  let problem: string | undefined
  let searches = 0

  /** Ends when a server takes writes, and fails with what it says if it does not. */
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
    const said = new Map<string, SqlError>()
    const asking = (one: string) => Effect.tapError(ask(one), (error) => Effect.sync(() => said.set(one, error)))
    const others = urls.filter((one) => one !== current)
    const found = yield* asking(current).pipe(
      Effect.catch(() => Effect.raceAll(others.map(asking))),
      Effect.orElseSucceed(() => undefined)
    )
    searches += 1
    if (found === undefined) {
      // What all refuse alike, such as a wrong password, a connection is told by the server itself.
      const isAnyAway = [...said.values()].some(isAway)
      const answers = [...said].map(
        ([one, error]) => `${hostIn(one)}: ${isReadOnly(error) ? "read-only" : detailOf(error)}`
      )
      problem = isAnyAway ? `None of the servers takes writes (${answers.join("; ")})` : undefined
      return
    }
    const before = current
    current = found
    problem = undefined
    isKnown = true
    if (wasFound && before !== found) {
      yield* Effect.logWarning("Another server of the database takes writes now.").pipe(
        Effect.annotateLogs({ server: hostIn(found), before: hostIn(before) })
      )
    }
    wasFound = true
  })

  // Whoever has waited for the search of another connection goes by what that has found.
  const find = Effect.suspend(() => {
    const before = searches
    if (isKnown) return Effect.void
    return turn.withPermit(Effect.suspend(() => (isKnown || searches > before ? Effect.void : search)))
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
