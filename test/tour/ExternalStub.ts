import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { GivenRealm } from "#testing/Given"

/** A stub of an external provider and of a webhook receiver. */
export interface ExternalStub {
  readonly url: string
  readonly close: () => void
}

let people = 0

/** Returns a token for any code, a new profile for each request, and 200 for everything else. */
const answer = (request: IncomingMessage, response: ServerResponse) => {
  request.resume()
  const sub = `person-${++people}`
  const answers: Readonly<Record<string, object>> = {
    "/token": { access_token: "token-of-the-stub", token_type: "Bearer", expires_in: 3600 },
    "/profile": { id: sub, email: `${sub}@peer.example.test`, email_verified: true, name: "Jo ExternalStub" }
  }
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answers[request.url ?? ""] ?? {}))
}

/** Starts the stub on loopback. */
export const startExternalStub = async (): Promise<ExternalStub> => {
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

/** The settings of a provider of type `oauth2` that uses the stub. */
export const providerSettings = ({ url }: ExternalStub) => ({
  provider_type: "oauth2",
  client_id: "tour",
  client_secret: "kept-between-the-two-of-us",
  authorization_url: `${url}/authorize`,
  token_url: `${url}/token`,
  profile_url: `${url}/profile`,
  email_verified_field: "email_verified"
})

/** The query with the redirect URI of the app. */
export const REDIRECT_QUERY = "?redirect_uri=https%3A%2F%2Fapp.example.test%2Fback"

/** Starts a login at the provider and returns the parameters of its callback. */
export const callbackParameters = async (realm: GivenRealm, provider: string) => {
  const reply = await realm.get(`/v2/auth_providers/${provider}/authorize${REDIRECT_QUERY}`)
  return { code: "any", state: new URL(reply.string("auth_url")).searchParams.get("state") }
}
