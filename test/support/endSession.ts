import { expect } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { signingAs } from "./idTokens.ts"
import { oauthClient } from "./oauth.ts"
import { service } from "./sallyport.ts"
import { onProfilePage } from "./visitor.ts"

/** The post-logout redirect URI of the clients of `loggedIn`. */
export const POST_LOGOUT_URI = "https://app.example.test/bye?from=here"
const now = STARTS_AT / 1000

export type Filled = Readonly<Record<string, string>>

/** A logged-in user, and a client that may request a logout. */
export const loggedIn = async (given?: GivenRealm, more: Parameters<typeof onProfilePage>[1] = {}) => {
  const realm = given ?? (await (await service()).given.realm())
  const at = await onProfilePage(realm, more)
  const sign = await signingAs(realm)
  const client = await oauthClient(realm, { name: "Grafana", post_logout_redirect_uris: [POST_LOGOUT_URI] })
  const idToken = (claims: Filled = {}, header: Filled = {}) =>
    sign({ sub: at.user.id, aud: client.id, sid: at.sid, iat: now, exp: now + 600, ...claims }, header)
  return { ...at, realm, client, sign, idToken }
}

export type LoggedIn = Awaited<ReturnType<typeof loggedIn>>

/** The end session endpoint. */
export const endpoint = ({ realm }: Pick<LoggedIn, "realm">) => `https://id.example.test/realms/${realm.id}/end_session`

/** Requests a logout as a browser redirected by a client, and continues to the page. */
export const requestLogout = async (at: Pick<LoggedIn, "realm" | "visitor">, params: Filled, form = false) => {
  const { visitor } = at
  const sent = form ? { form: params, headers: { "sec-fetch-site": "cross-site" } } : {}
  const reply = await visitor.browser.go(form ? endpoint(at) : `${endpoint(at)}?${new URLSearchParams(params)}`, sent)
  if (reply.status !== 303) return reply
  const to = new URL(reply.headers.get("location") ?? "")
  expect(to.origin).toBe(visitor.origin)
  return visitor.open(to.pathname + to.search)
}
