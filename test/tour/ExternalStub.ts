import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { GivenRealm } from "#testing/Given"

/** Stands in the place of a provider elsewhere, and of whoever is told by webhooks. */
export interface Peer {
  readonly url: string
  readonly close: () => void
}

let people = 0

/** A token for any code, somebody new at each look, and 200 for whatever else comes. */
const answer = (request: IncomingMessage, response: ServerResponse) => {
  request.resume()
  const sub = `person-${++people}`
  const answers: Readonly<Record<string, object>> = {
    "/token": { access_token: "token-of-the-peer", token_type: "Bearer", expires_in: 3600 },
    "/profile": { id: sub, email: `${sub}@peer.example.test`, email_verified: true, name: "Jo Peer" }
  }
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answers[request.url ?? ""] ?? {}))
}

/** Starts one on loopback. */
export const startPeer = async (): Promise<Peer> => {
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

/** What a provider of type `oauth2` has to say to lead there. */
export const peerSettings = ({ url }: Peer) => ({
  provider_type: "oauth2",
  client_id: "tour",
  client_secret: "kept-between-the-two-of-us",
  authorization_url: `${url}/authorize`,
  token_url: `${url}/token`,
  profile_url: `${url}/profile`,
  email_verified_field: "email_verified"
})

/** Where codes come back to in the app. */
export const REDIRECT = "?redirect_uri=https%3A%2F%2Fapp.example.test%2Fback"

/** What somebody comes back with from the provider, after one more look at its URL. */
export const comingBack = async (realm: GivenRealm, provider: string) => {
  const reply = await realm.get(`/v2/auth_providers/${provider}/authorize${REDIRECT}`)
  return { code: "any", state: new URL(reply.string("auth_url")).searchParams.get("state") }
}
