import { Effect, Layer } from "effect"
import { Outbound, type OutboundRequest } from "#platform/Outbound"
import { layer as outboundHttp } from "#server/OutboundHttp"
import { Api, type Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { startClocked } from "./sallyport.ts"

/** The MCP server for which agents request tokens. */
export const MCP = "https://mcp.example.test/mcp"

/** The registration request of an MCP client. */
export const agent = {
  client_name: "Desktop agent",
  redirect_uris: ["http://127.0.0.1:33418/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none"
}

/** The settings of a realm in which anyone may register a client for the MCP server. */
export const openRealm = {
  client_registration: "open",
  oauth_scopes: ["notes:read", "notes:admin"],
  registration_scopes: ["notes:read"],
  registration_resources: [MCP]
}

const path = (realm: Pick<GivenRealm, "id">, id = "") => `/realms/${realm.id}/register${id === "" ? "" : `/${id}`}`

/** Registers a client. `key` is the initial access token. */
export const register = (realm: GivenRealm, metadata: unknown, key?: string): Promise<Reply> =>
  new Api(realm.transport, key).call("POST", path(realm), { body: metadata })

/** Reads, changes or deletes a client's registration with its registration access token. */
export const registered = (realm: Pick<GivenRealm, "id" | "transport">, id: string, token: string | undefined) => {
  const api = new Api(realm.transport, token)
  return {
    read: () => api.call("GET", path(realm, id)),
    update: (metadata: object) => api.call("PUT", path(realm, id), { body: { client_id: id, ...metadata } }),
    delete: () => api.call("DELETE", path(realm, id))
  }
}

/** The status, code and description of an error. */
export const oauthErrorOf = (reply: Reply) => [reply.status, reply.member("error"), reply.member("error_description")]

/** A document published at a URL. */
export interface Published {
  readonly body: unknown
  readonly status?: number
  readonly contentType?: string
  readonly cacheControl?: string
  /** The response waits for this promise. */
  readonly after?: Promise<void>
}

const start = async () => {
  const documents = new Map<string, Published>()
  const fetched: Array<OutboundRequest> = []
  const guarded = outboundHttp({ allowPrivateTargets: false })
  const played = Effect.map(Outbound, ({ post, request }) =>
    Outbound.of({
      post,
      request: (question) =>
        Effect.suspend(() => {
          fetched.push(question)
          const found = documents.get(question.url)
          if (found === undefined) return request(question)
          const { body, status = 200, contentType = "application/json", cacheControl, after } = found
          const text = typeof body === "string" ? body : JSON.stringify(body)
          return Effect.as(
            Effect.promise(() => after ?? Promise.resolve()),
            { status, contentType, cacheControl, body: text }
          )
        })
    })
  )
  const own = await startClocked({ outbound: Layer.effect(Outbound, played).pipe(Layer.provide(guarded)) })
  return { ...own, documents, fetched }
}

let started: ReturnType<typeof start> | undefined

/** A service that can fetch the documents a test publishes. All other requests are guarded as usual. */
export const publishing = () => (started ??= start())

/** The metadata document of a client at a URL. */
export const documentOf = (url: string, more: object = {}) => ({
  client_id: url,
  client_name: "Desktop agent",
  redirect_uris: ["https://agent.example.test/callback"],
  ...more
})
