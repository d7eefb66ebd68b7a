import { Clock, Console, Context, Data, Effect, Layer, Logger, type Redacted } from "effect"
import { HttpServer } from "effect/http"
import { Actors } from "#actors/Actors"
import { ApiKeys } from "#core/access/ApiKeys"
import { EncryptedColumns } from "#core/upkeep/EncryptedColumns"
import { Health } from "#core/upkeep/Health"
import { currentCost } from "#domain/PasswordHash"
import { Connections, layer as database } from "#sql/Database"
import { banner } from "./Banner.ts"
import { type Settings, settings } from "./Config.ts"
import { mailbox, mailboxRoutes } from "./LocalMail.ts"
import { mailOut } from "./MailOut.ts"
import { layer as outbound } from "./OutboundHttp.ts"
import { core, operatorRoutes, routes } from "./Sallyport.ts"
import { encryptionKeys } from "./SecretFile.ts"
import { ShiftedClock } from "./ShiftedClock.ts"
import { telemetry } from "./Telemetry.ts"
import { testRoutes } from "./TestMode.ts"
import { serve } from "./WebServer.ts"

/** The service can't listen where it was told to. */
class CannotListen extends Data.TaggedError("CannotListen")<{ readonly message: string }> {}

/** How long a node that is told to stop still serves, so that balancers see it is not ready. Embedded: it has none. */
const DRAIN = "2 seconds"

/** Puts the database in order before anyone calls: secrets that open, and a root key. */
const prepared = Effect.fnUntraced(function* (config: Settings) {
  yield* (yield* EncryptedColumns).rewrap
  return yield* (yield* ApiKeys).ensureRoot(config.rootKey)
})

const portOf = ({ address }: HttpServer.HttpServer["Service"], otherwise: number): number =>
  address._tag === "UnixPathAddress" ? otherwise : address.port

/** Opens the port for operators, where there is one: it closes after the other, so that they see how that goes. */
const opened = Effect.fnUntraced(function* ({ ops, publicUrl }: Settings) {
  if (ops === undefined) return undefined
  const context = yield* Layer.build(serve(operatorRoutes({ publicUrl }), { ...ops, publicUrl }))
  const host = ["0.0.0.0", "::"].includes(ops.host) ? "localhost" : ops.host
  return `http://${host.includes(":") ? `[${host}]` : host}:${portOf(Context.get(context, HttpServer.HttpServer), ops.port)}`
})

/** Says where the service is, and serves and lets its actors work until it is told to stop. */
const started = Effect.fnUntraced(function* (config: Settings, rootKey: Redacted.Redacted | undefined) {
  const port = portOf(yield* HttpServer.HttpServer, config.port)
  const opsUrl = yield* opened(config)
  yield* (yield* Actors).run
  const { describe, engine } = yield* Connections
  const health = yield* Health
  const url = config.port === port ? config.publicUrl : `http://localhost:${port}`
  yield* Console.log(banner({ url, opsUrl, database: describe, mail: mailOut(config).describe(url), rootKey }))
  return yield* Effect.never.pipe(
    Effect.onInterrupt(() => Effect.andThen(health.drain, engine === "postgres" ? Effect.sleep(DRAIN) : Effect.void))
  )
})

/** Runs the service of this process's environment until it is interrupted: the port is opened last. */
export const run = Effect.gen(function* () {
  const config = yield* settings
  const options = { ...config, hashCost: currentCost, secrets: yield* encryptionKeys(config) }
  const observed = Layer.mergeAll(
    telemetry(config.collector),
    Logger.layer([Logger.withConsoleError(Logger.formatJson)])
  )
  const clock = yield* Clock.Clock
  const shifted = config.testMode ? new ShiftedClock(clock) : undefined
  const mail = mailOut(config)
  const doors = Layer.mergeAll(
    routes({ ...options, mailbox: mail.keeps }),
    shifted === undefined ? Layer.empty : testRoutes(options, shifted),
    mail.keeps ? mailboxRoutes(options) : Layer.empty
  )
  const inside = core(options).pipe(
    Layer.provide(Layer.merge(outbound(config), mail.layer)),
    Layer.provideMerge(mailbox(options)),
    Layer.provideMerge(database(config.database)),
    Layer.provideMerge(observed)
  )
  return yield* Effect.gen(function* () {
    const rootKey = yield* prepared(config)
    return yield* Effect.scoped(Effect.provide(started(config, rootKey), serve(doors, config)))
  }).pipe(Effect.provide(inside), Effect.provideService(Clock.Clock, shifted ?? clock))
}).pipe(
  Effect.catchTag("ServeError", (error) =>
    Effect.fail(new CannotListen({ message: `The service can't listen: ${String(error.cause)}` }))
  )
)
