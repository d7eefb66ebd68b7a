import { get } from "node:http"
import { Console, Data, Effect } from "effect"
import { type ConfigRefused, type Settings, settings } from "./Config.ts"

/** The time limit for the service's response. */
const PATIENCE_MILLIS = 2_000

/** The service is not ready for requests. `message`: the reason in one sentence. */
export class NotReady extends Data.TaggedError("NotReady")<{ readonly url: string; readonly reason: string }> {
  override get message() {
    return `The service at ${this.url} is not ready: ${this.reason}.`
  }
}

/** Returns an address that reaches a service listening on `host` from the same machine. */
const reachable = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

/**
 * Returns the URL of the readiness check. Prefers the operators' port, where requests on the main port can't delay the
 * check (C268).
 */
export const readinessUrl = ({ host, port, ops }: Pick<Settings, "host" | "port" | "ops">): string => {
  const target = ops === undefined || ops.port === 0 ? { host, port } : ops
  return `http://${reachable(target.host)}:${target.port}/readyz`
}

/** Asks a service whether it is ready for requests. */
const ask = (url: string): Effect.Effect<void, NotReady> =>
  Effect.callback((resume) => {
    const fail = (reason: string) => resume(Effect.fail(new NotReady({ url, reason })))
    const request = get(url, { agent: false, timeout: PATIENCE_MILLIS }, (response) => {
      response.resume()
      if (response.statusCode === 200) resume(Effect.void)
      else fail(`it responds with status ${response.statusCode}`)
    })
    request.once("timeout", () => request.destroy(new Error(`no response within ${PATIENCE_MILLIS / 1_000} seconds`)))
    request.once("error", (error) => fail(error.message))
    return Effect.sync(() => request.destroy())
  })

/** Checks that the service configured by this process's settings is ready for requests. Returns its URL. */
export const checkHealth: Effect.Effect<string, NotReady | ConfigRefused> = settings.pipe(
  Effect.map(readinessUrl),
  Effect.tap(ask)
)

/** Like `checkHealth`, for the command line: prints the reason for a failure. The failure also sets the exit code. */
export const reportHealth = Effect.tapError(checkHealth, ({ message }) => Console.error(message))
