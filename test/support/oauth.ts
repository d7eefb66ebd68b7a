import type { GivenRealm } from "#testing/Given"

/** The minimal settings of each client type. */
const least: Readonly<Record<string, object>> = {
  web: { redirect_uris: ["https://app.example.test/callback"] },
  spa: { redirect_uris: ["https://app.example.test/callback"] },
  native: { redirect_uris: ["com.example.app:/callback"] }
}

/** Creates an OAuth client in the realm, by default a confidential web server. */
export const oauthClient = async (realm: GivenRealm, settings: Readonly<Record<string, unknown>> = {}) => {
  const type = String(settings["client_type"] ?? "web")
  const client_app = { name: "Grafana", client_type: type, ...least[type], ...settings }
  const reply = await realm.post("/v2/client_apps", { client_app })
  if (reply.status !== 201) throw new Error(`No OAuth client: ${reply.text}`)
  const secret = reply.member("client_secret")
  return { id: reply.id, secret: typeof secret === "string" ? secret : undefined, body: reply.body }
}

/** The `Authorization` header of a client that authenticates with its secret. */
export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`
