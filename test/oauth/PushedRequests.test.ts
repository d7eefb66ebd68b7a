import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import {
  type Authorizing,
  authorize,
  authorizing,
  begin,
  CONSENT,
  endpointOf,
  followRedirects,
  LOGIN,
  redirectParams,
  requestAuthorization,
  requestOf,
  VERIFIER
} from "../support/authorize.ts"
import { dpopKey } from "../support/dpop.ts"
import { PASSWORD } from "../support/logins.ts"
import { basic, oauthClient } from "../support/oauth.ts"
import { redeem } from "../support/oauthTokens.ts"
import { heading } from "../support/pages.ts"
import { clockedService } from "../support/sallyport.ts"
import { Visitor } from "../support/visitor.ts"

const newRealm = async (): Promise<GivenRealm> => (await clockedService()).given.realm()

type Filled = Readonly<Record<string, string>>

/** Pushes an authorization request as the client. */
const push = ({ realm, client, visitor }: Authorizing, params: Filled = {}, headers: Filled = {}) =>
  visitor.browser.go(endpointOf({ realm }, "par"), {
    form: Object.fromEntries(requestOf({ client }, params)),
    headers: { authorization: basic(client.id, client.secret ?? ""), ...headers }
  })

const uriOf = async (at: Authorizing, params: Filled = {}): Promise<string> => {
  const reply = await push(at, params)
  expect(reply.status).toBe(201)
  return String(reply.member("request_uri"))
}

const queryFor = (at: Authorizing, request_uri: string): URLSearchParams =>
  new URLSearchParams({ client_id: at.client.id, request_uri })

describe("RFC 9126: a pushed authorization request", () => {
  test("is valid for one login and ignores other parameters in the query", async () => {
    const at = await authorizing(await newRealm())
    const reply = await push(at, { state: "pushed" })
    expect([reply.status, reply.body]).toEqual([
      201,
      { request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:oar_[\dA-Za-z]{43}$/), expires_in: 60 }
    ])
    expect(reply.headers.get("cache-control")).toBe("no-store")
    const query = queryFor(at, String(reply.member("request_uri")))
    query.set("state", "changed")
    query.set("redirect_uri", "https://evil.example/")
    expect(await authorize(at, query)).toMatchObject({ code: expect.any(String), state: "pushed" })
    expect(heading(await requestAuthorization(at, query))).toBe("This login can't be completed")
  })

  test("C276: survives a reload and the Back button until the login is complete", async () => {
    const at = await authorizing(await newRealm())
    const query = queryFor(at, await uriOf(at))
    await begin(at, query)
    await (await clockedService()).advance("30 minutes")
    expect(heading(await begin(at, query))).toBe("Log in")
    await (await clockedService()).advance("59 minutes")
    expect(await authorize(at, query)).toMatchObject({ code: expect.any(String), state: "s-1" })
    expect((await requestAuthorization(at, query)).status).toBe(400)
  })

  test("SEC-257: issues only one code even when several browsers use it", async () => {
    const at = await authorizing(await newRealm(), { client: { consent: "ask" } })
    const query = queryFor(at, await uriOf(at))
    const tabs = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const tab = { ...at, visitor: new Visitor(at.realm.transport, at.origin) }
        await begin(tab, query)
        await tab.visitor.fill({ name: at.email, password: PASSWORD }, LOGIN)
        await followRedirects(tab)
        expect(heading(tab.visitor.page)).toBe(CONSENT)
        return tab
      })
    )
    const pages = await Promise.all(tabs.map(({ visitor }) => visitor.fill({}, "Allow")))
    expect(pages.map(({ status }) => status).toSorted()).toEqual([303, 400, 400, 400])
    const late = { ...at, visitor: new Visitor(at.realm.transport, at.origin) }
    expect((await requestAuthorization(late, query)).status).toBe(400)
  })

  test("is valid only for the client that pushed the request, and expires after 60 seconds", async () => {
    const at = await authorizing(await newRealm())
    const other = await oauthClient(at.realm, { consent: "skip" })
    const uri = await uriOf(at)
    expect((await requestAuthorization(at, queryFor({ ...at, client: other }, uri))).status).toBe(400)
    await (await clockedService()).advance("60 seconds")
    expect((await requestAuthorization(at, queryFor(at, uri))).status).toBe(400)
  })

  test("SEC-156: binds the code to the key of the request's DPoP proof", async () => {
    const at = await authorizing(await newRealm())
    const iat = Number((await at.realm.seen.all()).at(-1)?.["event_at"])
    const [key, other] = [await dpopKey(), await dpopKey()]
    const proof = ({ proof: make } = key, endpoint = "par") => make(at.realm, endpoint, { claims: { iat } })
    const rejected = [
      await push(at, {}, { dpop: await proof(key, "token") }),
      await push(at, { dpop_jkt: other.thumbprint }, { dpop: await proof() })
    ]
    expect(rejected.map((reply) => [reply.status, reply.member("error")])).toEqual([
      [400, "invalid_dpop_proof"],
      [400, "invalid_dpop_proof"]
    ])
    const reply = await push(at, {}, { dpop: await proof() })
    const { code = "" } = await authorize(at, queryFor(at, String(reply.member("request_uri"))))
    const redeemedBy = async (headers: Filled) =>
      (await redeem(at.client, at.realm, code, { code_verifier: VERIFIER }, headers)).status
    expect(await redeemedBy({})).toBe(400)
    expect(await redeemedBy({ dpop: await proof(other, "token") })).toBe(400)
    expect(await redeemedBy({ dpop: await proof(key, "token") })).toBe(200)
  })

  test("gets JSON errors for failed client authentication and invalid parameters", async () => {
    const at = await authorizing(await newRealm())
    const errorOf = async (params: Filled, headers: Filled = {}) => {
      const reply = await push(at, params, headers)
      return [reply.status, reply.member("error")]
    }
    expect(await errorOf({}, { authorization: basic(at.client.id, "ocs_wrong") })).toEqual([401, "invalid_client"])
    expect(await errorOf({ redirect_uri: "https://evil.example/" })).toEqual([400, "invalid_request"])
    expect(await errorOf({ scope: "nothing" })).toEqual([400, "invalid_scope"])
    expect(await errorOf({ request_uri: "urn:x" })).toEqual([400, "request_uri_not_supported"])
    expect(await errorOf({}, { "content-type": "application/json" })).toEqual([400, "invalid_request"])
  })

  test("is required of a client with require_par", async () => {
    const at = await authorizing(await newRealm(), { client: { require_par: true } })
    const reply = await requestAuthorization(at)
    expect(reply.headers.get("location")).toContain("error=invalid_request")
    await begin(at, queryFor(at, await uriOf(at)))
    expect(heading(at.visitor.page)).toBe("Log in")
    await authorize(at, queryFor(at, await uriOf(at, { state: "s-9" })))
    expect(redirectParams(at)).toMatchObject({ state: "s-9" })
  })
})
