import { createServer } from "node:net"
import { Effect } from "effect"

/** Finds a free port on this machine. The service's URLs contain it, so it must be known beforehand. */
export const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})
