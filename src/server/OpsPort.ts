import { Worker } from "node:worker_threads"
import { Context, Effect, Layer, Option, Queue } from "effect"
import { Headers, HttpEffect, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ServeError } from "effect/http/HttpServerError"
import { withoutServices } from "#http/RequestServices"
import type { Settings } from "./Config.ts"
import type { OpsAddress, OpsCommand, OpsMessage, OpsRequest, OpsResponse } from "./OpsWorker.ts"
import { operatorRoutes } from "./Sallyport.ts"
import { escapePath, handlerOf, serve } from "./WebServer.ts"

// The worker's file is next to this module, bundled or not.
const workerUrl = new URL(import.meta.url.endsWith(".ts") ? "./OpsWorker.ts" : "./OpsWorker.js", import.meta.url)

/** The memory limits of the thread, in MiB. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 }

type OpsOptions = Parameters<typeof operatorRoutes>[0]

/** A request from the thread, and a function that sends the response back. */
interface PendingRequest {
  readonly request: OpsRequest
  readonly reply: (response: OpsResponse) => void
}

/** Responds to the thread's requests on this thread. */
const answer = Effect.fnUntraced(function* (options: OpsOptions, pending: Queue.Dequeue<PendingRequest>) {
  const handler = yield* handlerOf(operatorRoutes(options))
  const sources = new WeakMap<object, PendingRequest>()
  const handled = HttpEffect.toHandled(handler, ({ source }, response) =>
    Effect.promise(async () => {
      const answer = HttpServerResponse.toWeb(response)
      const { request, reply } = sources.get(source) ?? {}
      const { status, headers } = answer
      if (request !== undefined) {
        reply?.({ id: request.id, status, headers: Object.fromEntries(headers), text: await answer.text() })
      }
    })
  )
  const answerOne = (one: PendingRequest) => {
    const { method, path, headers, peer } = one.request
    const source = new Request("http://operators", { method })
    sources.set(source, one)
    const request = HttpServerRequest.fromWeb(source).modify({
      url: escapePath(path),
      headers: Headers.fromInput(headers),
      remoteAddress: Option.fromUndefinedOr(peer)
    })
    return Effect.provideService(handled, HttpServerRequest.HttpServerRequest, request)
  }
  const answerAll = Queue.take(pending).pipe(
    Effect.flatMap((one) => Effect.forkChild(answerOne(one))),
    Effect.forever
  )
  return yield* withoutServices(answerAll)
})

/** Starts the thread. When the scope closes, the thread finishes the requests that it has accepted, and ends. */
const startThread = (address: OpsAddress) =>
  Effect.acquireRelease(
    Effect.sync(
      () =>
        new Worker(workerUrl, {
          name: "operators",
          workerData: address,
          env: {},
          argv: [],
          execArgv: [],
          resourceLimits: RESOURCE_LIMITS
        })
    ),
    (worker) =>
      Effect.callback<void>((resume) => {
        if (worker.threadId === -1) return resume(Effect.void)
        worker.once("exit", () => resume(Effect.void))
        worker.postMessage({ response: undefined } satisfies OpsCommand)
      })
  )

/** Listens on a separate thread until the scope closes. Returns the port. */
const listenOnThread = Effect.fnUntraced(function* (options: OpsOptions, address: OpsAddress) {
  const pending = yield* Queue.unbounded<PendingRequest>()
  // Ends after the thread, because it responds to the thread's last requests.
  yield* Effect.forkScoped(answer(options, pending))
  const worker = yield* startThread(address)
  const reply = (response: OpsResponse) => worker.postMessage({ response } satisfies OpsCommand)
  return yield* Effect.callback<number, ServeError>((resume) => {
    worker.on("error", (cause) => resume(Effect.fail(new ServeError({ cause }))))
    worker.on("message", (message: OpsMessage) => {
      if (message._tag === "Request") Queue.offerUnsafe(pending, { request: message.request, reply })
      else if (message._tag === "Listening") resume(Effect.succeed(message.port))
      else resume(Effect.fail(new ServeError({ cause: Object.assign(new Error(message.message), message) })))
    })
  })
})

/** Listens on this thread, for processes that can't each have a thread on the same port. */
const listenHere = Effect.fnUntraced(function* (
  config: Settings,
  address: { readonly host: string; readonly port: number }
) {
  const context = yield* Layer.build(serve(operatorRoutes(config), { ...config, ...address }))
  const { address: bound } = Context.get(context, HttpServer.HttpServer)
  return bound._tag === "UnixPathAddress" ? address.port : bound.port
})

/**
 * Opens the operators' port and returns its number. The port has its own thread, so that load on the main port doesn't
 * delay probes (C268). If several processes share the port, this requires Linux, where the system distributes
 * connections among their threads.
 */
export const openOpsPort = (config: Settings, address: NonNullable<Settings["ops"]>) => {
  const isShared = config.workers > 1
  const hasThread = !isShared || (process.platform === "linux" && address.port !== 0)
  return hasThread ? listenOnThread(config, { ...address, isShared }) : listenHere(config, address)
}
