import { once } from "node:events"
import { createServer } from "node:net"

/** A port of this machine that somebody listens on, until the test is done with it. */
export const takenPort = async (): Promise<AsyncDisposable & { readonly port: string }> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    port: String(typeof address === "object" ? address?.port : undefined),
    [Symbol.asyncDispose]: async () => {
      server.close()
      await once(server, "close")
    }
  }
}

/** What a start says of a port in use. */
export const portInUse = (name: string, port: string) =>
  `${name} ${port} is in use. Stop what uses it, or choose another one, as in ${name}=${Number(port) + 1}.`
