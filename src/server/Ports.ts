import { createServer } from "node:net"
import { Data, Effect, Predicate } from "effect"
import type { Settings } from "./Config.ts"

/** The service can't listen on its address or port. `happened`: the reason; `message`: the reason and what to do about it. */
export class CannotListen extends Data.TaggedError("CannotListen")<{
  readonly happened: string
  readonly message: string
}> {}

/** Explains why a port can't be opened, and what to do about it. */
export const cannotListen = ({ ops }: Pick<Settings, "ops">, cause: unknown): CannotListen => {
  const port = Predicate.hasProperty(cause, "port") && typeof cause.port === "number" ? cause.port : 0
  if (Predicate.hasProperty(cause, "code") && cause.code === "EADDRINUSE") {
    const name = port === ops?.port ? "SALLYPORT_OPS_PORT" : "PORT"
    const happened = `${name} ${port} is in use.`
    const todo = `Stop the program that uses it, or choose another one, as in ${name}=${port + 1}.`
    return new CannotListen({ happened, message: `${happened} ${todo}` })
  }
  const happened = `The service can't listen: ${cause instanceof Error ? cause.message : String(cause)}.`
  return new CannotListen({ happened, message: happened })
}

/** Opens a port and closes it again. */
const tryPort = (config: Pick<Settings, "ops">, { port, host }: { readonly port: number; readonly host: string }) =>
  Effect.callback<void, CannotListen>((resume) => {
    const server = createServer()
    server.once("error", (cause) => resume(Effect.fail(cannotListen(config, cause))))
    server.listen({ port, host }, () => server.close(() => resume(Effect.void)))
  })

/** Fails if one of the service's ports can't be opened. Runs before a database, a secret and a root key are created (C71). */
export const checkPorts = (config: Pick<Settings, "port" | "host" | "ops">): Effect.Effect<void, CannotListen> =>
  Effect.forEach(
    [config, ...(config.ops === undefined ? [] : [config.ops])].filter(({ port }) => port !== 0),
    (address) => tryPort(config, address),
    { discard: true }
  )
