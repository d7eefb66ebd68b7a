import { Context, type Duration, Effect, Layer, Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { ConsoleFolder } from "#http/console/ConsoleFiles"
import { Connections, layer as database } from "#sql/Database"
import { Given, type GivenRealm } from "#testing/Given"
import type { Swaps } from "#testing/Swaps"
import { STARTS_AT, type TestOptions, TestSallyport } from "#testing/TestSallyport"
import { overHttp, type Transport } from "#testing/Transport"
import { CopiedRealms, CopyingGiven, SECRET } from "./copiedRealms.ts"
import { freshLocalDatabase, workerDatabase } from "./databases.ts"
import { knownRsaKeys } from "./knownRsaKeys.ts"
import { recordedStatements } from "./statements.ts"

const hashCounts = new Map<string, () => number>()

/**
 * The number of password hashes that a service in this process has computed, or undefined for a service in another
 * process.
 */
export const hashCountAt = (url: string): number | undefined => hashCounts.get(url)?.()

/** The service shared by all files of a worker. Tests use separate realms. */
export interface Service {
  readonly url: string
  readonly transport: Transport
  readonly key: string
  /** Calls the service within this process. */
  readonly given: Given
}

interface SharedService extends Service, Pick<TestSallyport["Service"], "dns"> {
  readonly copies: CopiedRealms
}

/** Properties of the service that tests rely on: its start time, public URL, logs and secret. */
const fixed = { startsAt: STARTS_AT, publicUrl: "https://id.example.test", logs: true, secrets: [SECRET] }

const builtConsole = new URL("../console/built/", import.meta.url)

/** A service for tests: records statements, uses known RSA keys and serves a small built console. */
const serviceLayer = (options: TestOptions, swaps: Swaps = {}, consoleFolder = builtConsole) =>
  TestSallyport.layer(options, { signer: knownRsaKeys, ...swaps }).pipe(
    Layer.provide(Layer.merge(recordedStatements, Layer.succeed(ConsoleFolder, consoleFolder)))
  )

const open = async (): Promise<Connections["Service"]> => {
  const layer = database(await workerDatabase())
  return Context.get(await Effect.runPromise(Layer.buildWithScope(layer, Scope.makeUnsafe())), Connections)
}

let opened: Promise<Connections["Service"]> | undefined

/** The worker's database, opened on first use. */
const connections = () => (opened ??= open())

/** The database of the worker's service, for tests that inspect it. */
export const workerSql = async (): Promise<SqlClient> => (await connections()).fast

const start = async (): Promise<SharedService> => {
  const layer = serviceLayer({ ...fixed, connections: await connections() })
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  const { url, transport, key, dns, hashCount } = Context.get(context, TestSallyport)
  hashCounts.set(url, hashCount)
  const time = { now: () => STARTS_AT, isTurned: false }
  const copies = new CopiedRealms(new Given(transport, key), await workerSql(), time)
  return { url, transport, key, dns, copies, given: new CopyingGiven(transport, key, copies) }
}

let started: Promise<SharedService> | undefined

/**
 * Starts the worker's service on first use. The service's clock never advances. Tests that advance the clock
 * use `clockedService`.
 */
export const service = (): Promise<SharedService> => (started ??= start())

/** A new realm of the worker's service, with these settings. Most tests start with it. */
export const newRealm = async (settings: Readonly<Record<string, unknown>> = {}): Promise<GivenRealm> =>
  (await service()).given.realm(settings)

/** The worker's service over HTTP, for tests that need a real connection. */
export const wireService = async (): Promise<Service> => {
  const { url, key, copies } = await service()
  return { url, transport: overHttp(url), key, given: new CopyingGiven(url, key, copies) }
}

/** A service with a clock that its tests turn, whose outgoing messages are captured. */
export interface OwnService
  extends Service,
    Pick<TestSallyport["Service"], "clock" | "dns" | "sql" | "otherSql" | "receiver" | "postbox" | "rehearse"> {
  /**
   * Advances the clock and runs everything that becomes due. `beneath` is a layer through which statements reach the
   * database.
   */
  readonly advance: (by: Duration.Input, beneath?: Layer.Layer<never>) => Promise<number>
}

const handedOut = ({ hashCount, advance, ...own }: TestSallyport["Service"]): OwnService => {
  hashCounts.set(own.url, hashCount)
  return {
    ...own,
    given: new Given(own.transport, own.key),
    advance: (by, beneath = recordedStatements) => Effect.runPromise(Effect.provide(advance(by), beneath))
  }
}

/** Starts a service whose clock tests advance, with some parts replaced, for the tests of one file. */
export const startClocked = async (swaps: Swaps = {}): Promise<OwnService> => {
  const layer = serviceLayer({ ...fixed, database: await workerDatabase() }, swaps)
  const context = await Effect.runPromise(Layer.buildWithScope(layer, Scope.makeUnsafe()))
  const own = handedOut(Context.get(context, TestSallyport))
  const time = { now: () => own.clock.currentTimeMillisUnsafe(), isTurned: true }
  return { ...own, given: new CopyingGiven(own.transport, own.key, new CopiedRealms(own.given, own.sql, time)) }
}

let turned: Promise<OwnService> | undefined

/**
 * A second service of the worker with its own database, for tests that only move the clock forward from where the last
 * test left it. Tests use separate realms.
 */
export const clockedService = (): Promise<OwnService> => (turned ??= startClocked())

let limited = 0

/**
 * Services with the same time and database share the quotas of the root key, which last ten seconds. So each service
 * with limits starts an hour after the previous one.
 */
const anHourOfItsOwn = () => ({ startsAt: STARTS_AT + (limited += 1) * 3_600_000 })

interface OwnOptions extends Omit<TestOptions, "database" | "connections"> {
  readonly alone?: boolean
  readonly consoleFolder?: URL
}

/**
 * A service with a separate clock for one test, until `use` is done. It shares the worker's database, where tests use
 * separate realms.
 */
export const ownService = async <A>(
  use: (own: OwnService) => Promise<A>,
  { alone = false, consoleFolder, ...options }: OwnOptions = {}
): Promise<A> => {
  const where = alone ? { database: await freshLocalDatabase() } : { connections: await connections() }
  const begun = options.limits === undefined || alone ? fixed : { ...fixed, ...anHourOfItsOwn() }
  const layer = serviceLayer({ ...begun, ...options, ...where }, {}, consoleFolder)
  return Effect.runPromise(
    TestSallyport.pipe(
      Effect.flatMap((own) => Effect.promise(() => use(handedOut(own)))),
      Effect.provide(layer)
    )
  )
}

/** Starts a service like `ownService`, but with a separate database, for tests that count, clear or break its content. */
export const isolatedService: typeof ownService = (use, options = {}) => ownService(use, { ...options, alone: true })
