import { once } from "node:events"
import { createServer } from "node:net"

/** A port of this machine that is in use until the test ends. */
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

/** The error message when a service starts on a port in use. */
export const portInUse = (name: string, port: string) =>
  `${name} ${port} is in use. Stop the program that uses it, or choose another one, as in ${name}=${Number(port) + 1}.`
