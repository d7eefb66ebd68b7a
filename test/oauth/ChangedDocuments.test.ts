import { beforeAll, expect, test } from "vitest"
import { authorize, requestAuthorization } from "../support/authorize.ts"
import { CALLBACK, minimalDocument, published, request, statusAndMessage, verified } from "../support/documents.ts"
import { redeem, refresh } from "../support/oauthTokens.ts"
import { documentOf, publishing } from "../support/registration.ts"

const LOOPBACK = "http://127.0.0.1:33418/callback"

type At = Awaited<ReturnType<typeof published>>

beforeAll(publishing)

/** A client with a metadata document and tokens, and the id of its app. */
const clientWithTokens = async () => {
  const at = await published(minimalDocument)
  const { code = "" } = await authorize(at, request, CALLBACK)
  const tokens = await redeem(at.client, at.realm, code, verified)
  const [app] = (await at.realm.get("/v2/client_apps")).items.filter(({ name }) => name === "Desktop agent")
  return { at, refreshToken: tokens.string("refresh_token"), id: String(app?.["id"]) }
}

/**
 * Publishes a changed document, waits until the cached copy expires and has the client begin an authorization request.
 */
const publishChange = async (at: At, members: object, redirect_uri = CALLBACK) => {
  const { documents, advance } = await publishing()
  documents.set(at.url, { body: documentOf(at.url, members) })
  await advance("61 minutes")
  const { result, events } = await at.realm.seen.during(() => requestAuthorization(at, { ...request, redirect_uri }))
  return { status: result.status, events }
}

test("C273: applies a changed document to the client's settings", async () => {
  const { at, refreshToken, id } = await clientWithTokens()
  const updated = { event_type: "login_policy.updated", client_app_id: id }
  const native = await publishChange(at, { redirect_uris: [CALLBACK, LOOPBACK] }, LOOPBACK)
  expect([native.status, native.events]).toEqual([303, [updated]])
  expect((await at.realm.get(`/v2/client_apps/${id}`)).body).toMatchObject({
    client_type: "native",
    redirect_uris: [CALLBACK, LOOPBACK]
  })
  // The client lost nothing, so existing grants stay valid.
  const again = await refresh(at.client, at.realm, refreshToken)
  expect(again.status).toBe(200)
  const web = await publishChange(at, { jwks_uri: `${at.url}/jwks` })
  expect([web.status, web.events]).toEqual([303, [updated]])
  expect((await at.realm.get(`/v2/client_apps/${id}`)).body).toMatchObject({
    client_type: "web",
    token_endpoint_auth_method: "private_key_jwt",
    jwks_uri: `${at.url}/jwks`
  })
  expect((await refresh(at.client, at.realm, again.string("refresh_token"))).member("error")).toBe("invalid_client")
  expect((await publishChange(at, {})).status).toBe(303)
  expect((await refresh(at.client, at.realm, again.string("refresh_token"))).status).toBe(200)
})

test.each([
  ["its grant types", { grant_types: ["authorization_code"] }, CALLBACK],
  ["all of its redirect URIs", { redirect_uris: [LOOPBACK] }, LOOPBACK]
])("SEC-255: revokes the client's grants when its document removes %s", async (_, members, redirect_uri) => {
  const { at, refreshToken, id } = await clientWithTokens()
  const { status, events } = await publishChange(at, members, redirect_uri)
  expect(status).toBe(303)
  const about = { client_app_id: id, user_id: at.user.id, session_id: expect.any(String) }
  expect(events).toEqual([
    { event_type: "login_policy.updated", client_app_id: id },
    { event_type: "oauth.grant.revoked", ...about }
  ])
  expect((await publishChange(at, {})).status).toBe(303)
  expect((await refresh(at.client, at.realm, refreshToken)).member("error")).toBe("invalid_grant")
})

test("SEC-255: rejects a code for a redirect URI that the document no longer contains", async () => {
  const { at, id } = await clientWithTokens()
  const { code = "" } = await authorize(at, request, CALLBACK)
  await at.realm.put(`/v2/client_apps/${id}`, { client_app: { redirect_uris: ["https://moved.example.test/"] } })
  expect((await redeem(at.client, at.realm, code, verified)).member("error")).toBe("invalid_grant")
  await at.realm.put(`/v2/client_apps/${id}`, { client_app: { redirect_uris: [CALLBACK] } })
  expect((await redeem(at.client, at.realm, code, verified)).status).toBe(200)
})

test("C273: rejects requests of a client while its document is unusable", async () => {
  const { at, refreshToken } = await clientWithTokens()
  expect(await publishChange(at, { redirect_uris: ["javascript:alert(1)"] })).toEqual({ status: 400, events: [] })
  expect((await statusAndMessage(at)).at(-1)).toContain("something that is not allowed here")
  expect((await publishChange(at, {})).status).toBe(303)
  expect((await refresh(at.client, at.realm, refreshToken)).status).toBe(200)
})
