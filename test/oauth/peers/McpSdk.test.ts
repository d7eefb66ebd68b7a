import { auth, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js"
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import { expect, test } from "vitest"
import { protectedResource } from "#client/resource/ProtectedResource"
import { authorize } from "../../support/authorize.ts"
import { agent, documentOf, MCP, openRealm, publishing } from "../../support/registration.ts"
import { visitorAtApp } from "../../support/visitor.ts"
import { peerFetch } from "./PeerFetch.ts"

const DEVICE = "urn:ietf:params:oauth:grant-type:device_code"

/** An agent built on the official MCP SDK. It registers itself unless `document` is the URL of its metadata. */
const agentAt = (redirectUrl: string, document: string | undefined) => {
  const stored: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; leads?: URL } = {}
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(document === undefined ? {} : { clientMetadataUrl: document }),
    clientMetadata: { ...agent, redirect_uris: [redirectUrl], grant_types: [...agent.grant_types, DEVICE] },
    clientInformation: () => stored.client,
    saveClientInformation: (client) => {
      stored.client = client
    },
    tokens: () => stored.tokens,
    saveTokens: (tokens) => {
      stored.tokens = tokens
    },
    redirectToAuthorization: (url) => {
      stored.leads = url
    },
    saveCodeVerifier: (verifier) => {
      stored.verifier = verifier
    },
    codeVerifier: () => stored.verifier ?? ""
  }
  return { stored, provider }
}

const shapes: ReadonlyArray<readonly [string, object | undefined, string]> = [
  ["that registers itself", undefined, "http://127.0.0.1:33418/callback"],
  [
    "with a document and an unsupported grant type",
    { grant_types: [...agent.grant_types, DEVICE] },
    "https://agent.test/cb"
  ],
  [
    "with a document and localhost without a port",
    { redirect_uris: ["http://localhost/cb"] },
    "http://localhost:4711/cb"
  ],
  ["with a document and a private-use scheme", {}, "cursor://anysphere.cursor-mcp/oauth/callback"]
]

test.each(
  shapes
)("the official MCP SDK logs in with a client %s and refreshes its tokens", async (_, members, redirectUrl) => {
  const { given, documents } = await publishing()
  const realm = await given.realm({ ...openRealm })
  const at = await visitorAtApp(realm)
  const url = `https://${crypto.randomUUID()}.example.test/client.json`
  if (members !== undefined) documents.set(url, { body: documentOf(url, { redirect_uris: [redirectUrl], ...members }) })
  const { stored, provider } = agentAt(redirectUrl, members === undefined ? undefined : url)
  const service = peerFetch(realm.transport)
  const issuer = `https://id.example.test/realms/${realm.id}`
  const { metadata } = protectedResource({ resource: MCP, issuer, scopes: ["notes:read"] })
  const fetchFn = async (input: string | URL, init?: RequestInit) =>
    String(input).includes("oauth-protected-resource") ? Response.json(metadata) : service(input, init)
  const options = { serverUrl: MCP, scope: "notes:read offline_access", fetchFn }

  expect(await auth(provider, options)).toBe("REDIRECT")
  expect(stored.client?.client_id).toEqual(members === undefined ? expect.stringMatching(/^lpl_/) : url)
  const client = { id: stored.client?.client_id ?? "", secret: undefined, body: {} }
  const { code = "" } = await authorize({ ...at, realm, client }, stored.leads?.searchParams, redirectUrl)
  expect(await auth(provider, { ...options, authorizationCode: code })).toBe("AUTHORIZED")
  const first = stored.tokens
  expect(first).toMatchObject({ token_type: "Bearer", scope: "notes:read offline_access" })
  expect(await auth(provider, options)).toBe("AUTHORIZED")
  expect(stored.tokens?.access_token).not.toBe(first?.access_token)
})
