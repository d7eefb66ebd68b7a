import { get } from "node:http"
import { Console, Data, Effect } from "effect"
import { type ConfigRefused, type Settings, settings } from "./Config.ts"

/** How long the service may take to answer. */
const PATIENCE_MILLIS = 2_000

/** The service does not take requests. `message`: a sentence that says why. */
export class NotReady extends Data.TaggedError("NotReady")<{ readonly url: string; readonly reason: string }> {
  override get message() {
    return `The service at ${this.url} is not ready: ${this.reason}.`
  }
}

/** An address that a service which listens on a host can be called at from the same machine. */
const reachable = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

/** Where the service of these settings answers whether it takes requests: at the port for operators, which no crowd delays (C268). */
export const readinessUrl = ({ host, port, ops }: Pick<Settings, "host" | "port" | "ops">): string => {
  const asked = ops === undefined || ops.port === 0 ? { host, port } : ops
  return `http://${reachable(asked.host)}:${asked.port}/readyz`
}

/** Asks a service whether it takes requests. */
const ask = (url: string): Effect.Effect<void, NotReady> =>
  Effect.callback((resume) => {
    const fail = (reason: string) => resume(Effect.fail(new NotReady({ url, reason })))
    const request = get(url, { agent: false, timeout: PATIENCE_MILLIS }, (response) => {
      response.resume()
      if (response.statusCode === 200) resume(Effect.void)
      else fail(`it answers ${response.statusCode}`)
    })
    request.once("timeout", () => request.destroy(new Error(`no answer within ${PATIENCE_MILLIS / 1_000} seconds`)))
    request.once("error", (error) => fail(error.message))
    return Effect.sync(() => request.destroy())
  })

/** Whether the service that runs with the settings of this process takes requests: where it is, if so. */
export const checkHealth: Effect.Effect<string, NotReady | ConfigRefused> = settings.pipe(
  Effect.map(readinessUrl),
  Effect.tap(ask)
)

/** The same, for whoever reads only the exit code and, if it failed, why. */
export const reportHealth = Effect.tapError(checkHealth, ({ message }) => Console.error(message))
