import { connect, type Socket } from "node:net"
import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { wireService } from "../support/sallyport.ts"

/** More than a realm's limit of concurrent requests. */
const SENDERS = 200

const FORM = "content-type: application/x-www-form-urlencoded"

/** Starts sending a form without finishing it, from its own address, and waits until the service asks for the rest. */
const begin = (port: number, path: string, host: string) =>
  new Promise<Socket>((resolve, reject) => {
    const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${FORM}\r\nexpect: 100-continue\r\ncontent-length: 20\r\n\r\ngrant_`
    const from = { port, host: "127.0.0.1", localAddress: "127.0.0.2" }
    const socket: Socket = connect(from, () => socket.write(head))
    socket.on("error", reject).once("data", () => resolve(socket))
  })

test.each([
  "oauth",
  "hosted"
])("SEC-198: slow senders of forms don't use up the realm's concurrent requests (%s)", async (surface) => {
  const { given, url } = await wireService()
  const realm = await given.realm()
  const app = await realm.connectedApp({ name: "Pages" })
  const { port } = new URL(url)
  const [path, host] =
    surface === "oauth"
      ? [`/realms/${realm.id}/token`, "id.example.test"]
      : ["/login", `${app.string("subdomain")}.local.localhost`]
  const senders = await Promise.all(Array.from({ length: SENDERS }, () => begin(Number(port), path, host)))
  const answered = await new Api(url, undefined).call("POST", path, {
    body: "grant_type=x",
    headers: { "content-type": "application/x-www-form-urlencoded", host }
  })
  expect(answered.status).toBe(surface === "oauth" ? 401 : 422)
  for (const sender of senders) sender.destroy()
})
