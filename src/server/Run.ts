import { Clock, Effect, Latch, Layer } from "effect"
import { HttpServer } from "effect/http"
import type { Scope } from "effect/Scope"
import { Actors } from "#actors/Actors"
import { ConsoleSessions } from "#core/access/ConsoleSessions"
import type { DeliveryMetrics } from "#core/hooks/DeliveryMetrics"
import { Health } from "#core/nodes/Health"
import { NodeClock } from "#core/nodes/NodeClock"
import { Nodes } from "#core/nodes/Nodes"
import { ReadReplica } from "#core/nodes/ReadReplica"
import type { PasswordHasher } from "#core/passwords/PasswordHasher"
import { SystemRealm } from "#core/realms/SystemRealm"
import { EncryptedColumns } from "#core/upkeep/EncryptedColumns"
import type { RealmSizes } from "#core/upkeep/RealmSizes"
import { foldEmails } from "#core/upkeep/UnfoldedEmails"
import { DnsPlan } from "#domain/DnsPlan"
import { FaultPlan } from "#domain/Fault"
import { standardParams } from "#domain/PasswordHash"
import { processMetrics } from "#http/operations/Metrics"
import type { ActorStates } from "#platform/ActorStates"
import { Connections, layer as database } from "#sql/Database"
import type { ReplicaTarget } from "#sql/Replica"
import { UnfoldedEmailsRepo } from "#store/users/UnfoldedEmailsRepo"
import { AsJson } from "./AsJson.ts"
import { printBanner, printRootKey, type StartFacts } from "./Banner.ts"
import type { Settings } from "./Config.ts"
import { layer as dnsResolvers } from "./DnsResolvers.ts"
import { failingExternals, failingStatements } from "./FaultInjection.ts"
import type { GeneratedRootKey } from "./GeneratedRootKey.ts"
import { makeLifecycle } from "./Lifecycle.ts"
import { mailbox, mailboxRoutes } from "./LocalMail.ts"
import { mailTransport } from "./MailTransport.ts"
import { openOpsPort } from "./OpsPort.ts"
import { layer as outbound } from "./OutboundHttp.ts"
import { cannotListen, checkPorts } from "./Ports.ts"
import { ensureRootKey, knownRootKey } from "./RootKey.ts"
import { Clients, core, routes } from "./Sallyport.ts"
import { encryptionKeys } from "./SecretFile.ts"
import { type CurrentSettings, reloadSecrets, surviveHangUps } from "./SecretReload.ts"
import { ShiftedClock } from "./ShiftedClock.ts"
import { logs, telemetry } from "./Telemetry.ts"
import { plannedDns, testRoutes } from "./TestMode.ts"
import { serve } from "./WebServer.ts"

/** How long a stopping node continues to serve, so that load balancers notice. Doesn't apply with the embedded database. */
const DRAIN = "2 seconds"

/**
 * Prepares the database before the first request: makes sure that secrets can be decrypted, emails are folded, and the
 * system realm and a root key exist.
 */
const prepareDatabase = Effect.fnUntraced(function* (config: Settings) {
  // The embedded database has this machine's clock.
  if (config.database._tag === "Postgres") yield* (yield* NodeClock).check
  // Only one process can use the embedded database, so any claims in it are left over from an earlier process.
  const nodes = yield* Nodes
  yield* config.database._tag === "Postgres" ? nodes.beat : nodes.releaseOthers
  yield* (yield* EncryptedColumns).reencrypt
  yield* Effect.provide(foldEmails, UnfoldedEmailsRepo.layer.pipe(Layer.provide(Clients)))
  yield* (yield* SystemRealm).ensure
  return yield* ensureRootKey(config, process.stdout.isTTY && !(yield* AsJson))
})

const portOf = ({ address }: HttpServer.HttpServer["Service"], otherwise: number): number =>
  address._tag === "UnixPathAddress" ? otherwise : address.port

const inUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host)

/** The values of `HOST` with which the service listens at a loopback address, or at all addresses. */
const LOCAL: ReadonlySet<string> = new Set(["0.0.0.0", "::", "127.0.0.1", "::1", "localhost"])

/**
 * Returns the URL where this process itself listens: the public URL if it uses HTTP on the same port, because then
 * there is no proxy in between.
 */
const ownUrlOf = (publicUrl: string, { host, port }: { readonly host: string; readonly port: number }): string => {
  const { protocol, port: publicPort } = new URL(publicUrl)
  if (protocol === "http:" && Number(publicPort || 80) === port) return publicUrl
  return `http://${LOCAL.has(host) ? "localhost" : inUrl(host)}:${port}`
}

/** Opens the operators' port, if there is one. It closes after the main port, so that operators can watch the shutdown. */
const serveOperators = Effect.fnUntraced(function* (config: Settings) {
  const { ops } = config
  return ops === undefined ? undefined : `http://${inUrl(ops.host)}:${yield* openOpsPort(config, ops)}`
})

/** Supervises this process. */
interface Watcher {
  /** Whether the watcher shows the root key to the person who starts the process. */
  readonly showsRootKey?: boolean
  /** Called when the process has started. May also make the process's services available to the primary. */
  readonly started: (
    started: StartFacts
  ) => Effect.Effect<void, never, Scope | Health | PasswordHasher | ActorStates | DeliveryMetrics | RealmSizes>
  /** Runs when the process is about to stop. */
  readonly stopping: Effect.Effect<void>
}

/** The interval at which values read from services, such as the number of waiting hashes, are recorded for a collector. */
const RECORD_EVERY = "10 seconds"

/**
 * Opens the operators' port and starts the background jobs; the main port is already open. Then announces the start,
 * and runs until the process is asked to stop. When asked to stop, continues to serve until load balancers have
 * noticed.
 */
const serveUntilStopped = Effect.fnUntraced(function* (
  config: Settings,
  rootKey: GeneratedRootKey | undefined,
  watcher: Watcher,
  serving: Latch.Latch,
  current: CurrentSettings
) {
  const port = portOf(yield* HttpServer.HttpServer, config.port)
  const opsUrl = yield* serveOperators(config)
  const { describe, engine } = yield* Connections
  const nodes = yield* Nodes
  // On shutdown, the background jobs release their claims first.
  yield* Effect.addFinalizer(() => nodes.leave)
  if (engine === "postgres") {
    yield* Effect.forkScoped((yield* NodeClock).watch)
    yield* Effect.forkScoped(nodes.watch)
    yield* Effect.forkScoped((yield* ReadReplica).watch)
  }
  yield* reloadSecrets(current)
  yield* (yield* Actors).run
  // A scrape reads the services' current values, whereas the exporter sends the values recorded last.
  if (config.collector !== undefined) {
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(yield* processMetrics, Effect.sleep(RECORD_EVERY))))
  }
  const health = yield* Health
  const url = config.port === port ? config.publicUrl : `http://localhost:${port}`
  const mail = mailTransport(config).describe(url)
  const { console, delivers, workers, testMode } = config
  const ownUrl = ownUrlOf(url, { host: config.host, port })
  // Only whoever sees the root key also gets a link that logs in with it (SEC-290).
  const showsKey = rootKey?._tag === "Shown" || watcher.showsRootKey === true
  const linkToken = console && showsKey ? yield* (yield* ConsoleSessions).makeLoginLink : undefined
  const loginUrl = linkToken === undefined ? undefined : `${url}/console#login=${linkToken}`
  const shared = { url, ownUrl, opsUrl, database: describe, mail, console, delivers, workers, testMode }
  const started = { ...shared, rootKey, loginUrl }
  yield* watcher.started({ ...started, knownKey: knownRootKey(config) })
  yield* serving.open
  return yield* Effect.never.pipe(
    Effect.onInterrupt(() =>
      Effect.all([watcher.stopping, health.drain, engine === "postgres" ? Effect.sleep(DRAIN) : Effect.void])
    )
  )
})

/** The database, with this process's share of its connections. */
const databaseOf = (current: CurrentSettings, serving: Latch.Latch) => {
  const { database: target, workers, poolSize, answerWithin } = current.settings
  const configured = () => {
    const { database: own } = current.settings
    return own._tag === "Postgres" ? own : undefined
  }
  const own = { processes: workers, answerWithin, currentUrl: () => configured()?.url }
  const pools = poolSize === undefined ? own : { ...own, poolSize }
  const replicaOf = ({ replica }: { readonly replica?: ReplicaTarget | undefined }) =>
    replica === undefined ? undefined : { ...replica, currentUrl: () => configured()?.replica?.url }
  return database(target._tag === "Postgres" ? { ...target, ...pools, replica: replicaOf(target) } : target, {
    connectAfter: serving.await,
    waitSeconds: current.settings.databaseWait
  })
}

/**
 * Runs the service in this process until it is interrupted. Opens the main port once the database is prepared, and then
 * the operators' port. `shifted`: the clock of a service in test mode, which must also be this effect's clock.
 */
export const run = Effect.fnUntraced(
  function* (config: Settings, watcher: Watcher, shifted?: ShiftedClock) {
    const options = { ...config, hashCost: standardParams, secrets: yield* encryptionKeys(config) }
    const observability = Layer.mergeAll(telemetry(config.collector, config.tracedPercent), logs)
    const current: CurrentSettings = { settings: config }
    const mail = mailTransport(config, () => current.settings.smtpUrl)
    const testMode = shifted === undefined ? undefined : { clock: shifted, faults: new FaultPlan(), dns: new DnsPlan() }
    const outside = Layer.merge(outbound(config), mail.layer)
    const serving = yield* Latch.make()
    const surfaces = Layer.mergeAll(
      routes({ ...options, mailbox: mail.isLocal }),
      testMode === undefined ? Layer.empty : testRoutes(options, testMode),
      mail.isLocal ? mailboxRoutes(options) : Layer.empty
    )
    const services = core(options).pipe(
      Layer.provide(testMode === undefined ? outside : failingExternals(testMode.faults, outside)),
      Layer.provide(testMode === undefined ? dnsResolvers(config) : plannedDns(testMode.dns)),
      Layer.provideMerge(mailbox(options)),
      Layer.provideMerge(testMode === undefined ? Layer.empty : failingStatements(testMode.faults)),
      Layer.provideMerge(databaseOf(current, serving)),
      Layer.provideMerge(observability)
    )
    return yield* Effect.gen(function* () {
      const rootKey = yield* prepareDatabase(config)
      // The key is in the database already, and would be lost if this start failed without showing it.
      const showKey = Effect.suspend(() =>
        rootKey === undefined || serving.isOpen() ? Effect.void : printRootKey(rootKey)
      )
      return yield* Effect.scoped(
        Effect.provide(serveUntilStopped(config, rootKey, watcher, serving, current), serve(surfaces, config))
      ).pipe(Effect.onError(() => showKey))
    }).pipe(Effect.provide(services), (started) => Effect.scoped(Effect.andThen(surviveHangUps, started)))
  },
  (effect, config) => Effect.catchTag(effect, "ServeError", ({ cause }) => Effect.fail(cannotListen(config, cause)))
)

/** Runs the service as the only process, which prints the banner and logs its start and stop. */
export const runAlone = Effect.fnUntraced(function* (config: Settings) {
  yield* checkPorts(config)
  const { ready, stopping, stopped } = yield* makeLifecycle(config)
  const started = (facts: StartFacts) => Effect.andThen(printBanner(facts), ready(facts))
  const clock = yield* Clock.Clock
  const shifted = config.testMode ? new ShiftedClock(clock) : undefined
  return yield* run(config, { started, stopping }, shifted).pipe(
    Effect.onInterrupt(() => Effect.provide(stopped, logs)),
    Effect.provideService(Clock.Clock, shifted ?? clock)
  )
})
