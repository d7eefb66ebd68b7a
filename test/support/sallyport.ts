import { Context, type Duration, Effect, Layer, Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { ConsoleFolder } from "#http/console/ConsoleFiles"
import { Connections, layer as database } from "#sql/Database"
import { Given } from "#testing/Given"
import type { Swaps } from "#testing/Swaps"
import { STARTS_AT, type TestOptions, TestSallyport } from "#testing/TestSallyport"
import { overHttp, type Transport } from "#testing/Transport"
import { CopiedRealms, CopyingGiven, SECRET } from "./copiedRealms.ts"
import { nearDatabase, workerDatabase } from "./databases.ts"
import { knownRsaKeys } from "./knownRsaKeys.ts"
import { noted } from "./statements.ts"

const hashCounts = new Map<string, () => number>()

/** How many password hashes a service of this process has computed; none is known of a service in another process. */
export const hashCountAt = (url: string): number | undefined => hashCounts.get(url)?.()

/** The service that all files of a worker share; tests keep apart by realm. */
export interface Service {
  readonly url: string
  readonly transport: Transport
  readonly key: string
  /** Calls the service within this process. */
  readonly given: Given
}

interface SharedService extends Service {
  readonly copies: CopiedRealms
}

/** What tests write down of the service: when it starts, and where it is said to be. Some read its log. */
const fixed = { startsAt: STARTS_AT, publicUrl: "https://id.example.test", logs: true, secrets: [SECRET] }

const builtConsole = new URL("../console/built/", import.meta.url)

/** A service as tests have it: statements are noted, RSA keys are known ones, and the built console is a small one. */
const serviceLayer = (options: TestOptions, swaps: Swaps = {}, consoleFolder = builtConsole) =>
  TestSallyport.layer(options, { signer: knownRsaKeys, ...swaps }).pipe(
    Layer.provide(Layer.merge(noted, Layer.succeed(ConsoleFolder, consoleFolder)))
  )

const open = async (): Promise<Connections["Service"]> => {
  const layer = database(await workerDatabase())
  return Context.get(await Effect.runPromise(Layer.buildWithScope(layer, Scope.makeUnsafe())), Connections)
}

let opened: Promise<Connections["Service"]> | undefined

/** The database of the worker, opened at its first use. */
const connections = () => (opened ??= open())

/** The database beneath the worker's service, for who looks into it. */
export const workerSql = async (): Promise<SqlClient> => (await connections()).fast

const start = async (): Promise<SharedService> => {
  const layer = serviceLayer({ ...fixed, connections: await connections() })
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  const { url, transport, key, hashCount } = Context.get(context, TestSallyport)
  hashCounts.set(url, hashCount)
  const time = { now: () => STARTS_AT, isTurned: false }
  const copies = new CopiedRealms(new Given(transport, key), await workerSql(), time)
  return { url, transport, key, copies, given: new CopyingGiven(transport, key, copies) }
}

let started: Promise<SharedService> | undefined

/** Starts the worker's service at its first use. Its clock stands still: who turns it starts an `ownService`. */
export const service = (): Promise<SharedService> => (started ??= start())

/** The same service called over HTTP, for tests of what only a connection shows. */
export const wireService = async (): Promise<Service> => {
  const { url, key, copies } = await service()
  return { url, transport: overHttp(url), key, given: new CopyingGiven(url, key, copies) }
}

/** A service with a clock that its tests turn, and with all that it sends out caught. */
export interface OwnService
  extends Service,
    Pick<TestSallyport["Service"], "clock" | "sql" | "besideSql" | "receiver" | "postbox" | "rehearse"> {
  /** Turns the clock, and does all that falls due on the way. `beneath`: what statements pass on their way to the database. */
  readonly advance: (by: Duration.Input, beneath?: Layer.Layer<never>) => Promise<number>
}

const handedOut = ({ hashCount, advance, ...own }: TestSallyport["Service"]): OwnService => {
  hashCounts.set(own.url, hashCount)
  return {
    ...own,
    given: new Given(own.transport, own.key),
    advance: (by, beneath = noted) => Effect.runPromise(Effect.provide(advance(by), beneath))
  }
}

/** Starts a service like the turned one, for the tests of one file, with other parts in place of some. */
export const startTurned = async (swaps: Swaps = {}): Promise<OwnService> => {
  const layer = serviceLayer({ ...fixed, database: await workerDatabase() }, swaps)
  const context = await Effect.runPromise(Layer.buildWithScope(layer, Scope.makeUnsafe()))
  const own = handedOut(Context.get(context, TestSallyport))
  const time = { now: () => own.clock.currentTimeMillisUnsafe(), isTurned: true }
  return { ...own, given: new CopyingGiven(own.transport, own.key, new CopiedRealms(own.given, own.sql, time)) }
}

let turned: Promise<OwnService> | undefined

/**
 * A second service of the worker, on a database of its own, for the many tests that only turn the clock forward, each from
 * where the last one has left it. They keep apart by realm.
 */
export const turnedService = (): Promise<OwnService> => (turned ??= startTurned())

let limited = 0

/**
 * Services at the same time on the same database share the quotas of the root key, which last ten seconds: each service that
 * has limits begins an hour after the last one.
 */
const anHourOfItsOwn = () => ({ startsAt: STARTS_AT + (limited += 1) * 3_600_000 })

interface OwnOptions extends Omit<TestOptions, "database" | "connections"> {
  readonly alone?: boolean
  readonly consoleFolder?: URL
}

/**
 * A service for one test alone, with a clock of its own, until `use` is done. It shares the worker's database, where tests
 * keep apart by realm.
 */
export const ownService = async <A>(
  use: (own: OwnService) => Promise<A>,
  { alone = false, consoleFolder, ...options }: OwnOptions = {}
): Promise<A> => {
  const where = alone ? { database: await nearDatabase() } : { connections: await connections() }
  const begun = options.limits === undefined || alone ? fixed : { ...fixed, ...anHourOfItsOwn() }
  const layer = serviceLayer({ ...begun, ...options, ...where }, {}, consoleFolder)
  return Effect.runPromise(
    TestSallyport.pipe(
      Effect.flatMap((own) => Effect.promise(() => use(handedOut(own)))),
      Effect.provide(layer)
    )
  )
}

/** The same on a database of its own: for who counts, clears or breaks what is in it. */
export const serviceAlone: typeof ownService = (use, options = {}) => ownService(use, { ...options, alone: true })
