import { createServer } from "node:net"
import { Effect } from "effect"

/** A port of this machine that nobody listens on. Its number is part of the service's addresses, so it is chosen before. */
export const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})
