import express, { type ErrorRequestHandler, type RequestHandler } from "express"
import { beforeAll, describe, expect, test } from "vitest"
import type { Decode } from "#client/Decode"
import { KeysUnavailable } from "#client/DecodeKeys"
import type { RequestOptions } from "#client/frameworks/Authenticate"
import { readSession, requirePermission, requireSession, sessionOf } from "#client/frameworks/Express"
import { sessionFor } from "#client/frameworks/Session"
import { decoding, fetchWithin, issuerOf, keyOf, newRealm, now } from "../support/decoding.ts"
import { type Ask, frameworks } from "./Frameworks.ts"

/** A user of two orgs with permissions in the first, and tokens for both orgs, for each org and for no org. */
const member = async () => {
  const realm = await newRealm({ jwt_algo: "rs256", jwt_scopes: ["ar.orgs"] })
  const [user, alone, loner] = [await realm.user(), await realm.user(), await realm.user()]
  const [one, two] = [(await realm.org()).id, (await realm.org()).id]
  await realm.membership(user.id, one, { permissions: ["billing:read", "ar:owner"] })
  await realm.membership(user.id, two, { permissions: ["reports:read"] })
  await realm.membership(alone.id, one, { permissions: ["billing:read"] })
  const session = await realm.session(user.id)
  const tokenFor = async (org: string) => (await realm.get(`/v2/sessions/${session.id}?org_id=${org}`)).string("token")
  return {
    realm,
    user: user.id,
    one,
    two,
    token: session.string("token"),
    tokens: { one: await tokenFor(one), two: await tokenFor(two) },
    alone: { user: alone.id, token: (await realm.session(alone.id)).string("token") },
    loner: { user: loner.id, token: (await realm.session(loner.id)).string("token") },
    source: { issuer: issuerOf(realm), fetch: fetchWithin(realm), now }
  }
}

/** A member with a permission, and a token from a realm whose tokens don't include orgs. */
const silentMember = async () => {
  const realm = await newRealm()
  const [user, org] = [await realm.user(), (await realm.org()).id]
  await realm.membership(user.id, org, { permissions: ["billing:read"] })
  return { org, token: (await realm.session(user.id)).string("token"), decode: await decoding(realm) }
}

let made: Awaited<ReturnType<typeof member>>
let silent: Awaited<ReturnType<typeof silentMember>>

beforeAll(async () => {
  made = await member()
  silent = await silentMember()
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** The status, challenge and reason of a rejection. Asserts that it also has a human-readable message. */
const refusal = async (answer: Response) => {
  const body: unknown = await answer.json()
  expect(body).toEqual({ error: expect.any(String), message: expect.stringMatching(/^[A-Z].*\.$/) })
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/)
  expect(answer.headers.get("cache-control")).toBe("no-store")
  return [answer.status, Reflect.get(Object(body), "error"), answer.headers.get("www-authenticate")]
}

describe.each(Object.entries(frameworks))("%s", (name, running) => {
  const anonymous = name !== "Effect"

  const asking = (options: RequestOptions, use: (ask: Ask) => Promise<void>) =>
    running({ ...made.source, ...options }, use)

  test("passes the token's session to a handler, and rejects requests without a valid token", () =>
    asking({}, async (ask) => {
      const me = await ask("GET", "/me", bearer(made.tokens.one))
      expect([me.status, await me.json()]).toEqual([
        200,
        { user: made.user, org: made.one, orgs: [made.one], permissions: ["billing:read", "ar:owner"] }
      ])
      const challenge = 'Bearer error="invalid_token", error_description="The token is invalid or has expired."'
      expect(await refusal(await ask("GET", "/me"))).toEqual([401, "session_missing", "Bearer"])
      for (const token of ["x", `${made.token.slice(0, -4)}AAAA`])
        expect(await refusal(await ask("GET", "/me", bearer(token)))).toEqual([401, "session_invalid", challenge])
      expect(await refusal(await ask("GET", "/me", { authorization: "Basic eDp5" }))).toEqual([
        401,
        "session_missing",
        "Bearer"
      ])
      if (!anonymous) return
      for (const [headers, user] of [
        [{}, null],
        [bearer("x"), null],
        [bearer(made.token), made.user]
      ] as const)
        expect(await (await ask("GET", "/hello", headers)).json()).toEqual({ user })
    }))

  test("SEC-268: reads the cookie that the app names, but not in changes that other sites or origins send", () =>
    asking({ cookie: "__Host-session" }, async (ask) => {
      const cookie = `other=1; __Host-session=${made.tokens.one}; __Host-sessions=x`
      expect((await ask("GET", "/me", { cookie })).status).toBe(200)
      expect((await ask("POST", "/me", { cookie, "sec-fetch-site": "same-origin" })).status).toBe(200)
      expect((await ask("GET", "/me", { cookie, "sec-fetch-site": "cross-site" })).status).toBe(200)
      for (const headers of [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { origin: "https://evil.example.test" },
        { origin: "null" }
      ])
        expect(await refusal(await ask("POST", "/me", { cookie, ...headers }))).toEqual([403, "cross_site", null])
      // Only the app's own scripts can set a header, so it takes precedence.
      const both = { cookie: "__Host-session=x", ...bearer(made.tokens.one), "sec-fetch-site": "cross-site" }
      expect((await ask("POST", "/me", both)).status).toBe(200)
      expect(await refusal(await ask("GET", "/me", { cookie: "session=x" }))).toContain("session_missing")
      expect(await refusal(await ask("GET", "/me", { cookie: "__Host-session=x" }))).toContain("session_invalid")
    }))

  test("uses the org named in the request, or else the token's org, or else the user's only org", () =>
    asking({ orgHeader: "X-Org", orgParam: "org" }, async (ask) => {
      const orgOf = async (headers: Readonly<Record<string, string>>) =>
        Reflect.get(Object(await (await ask("GET", "/me", headers)).json()), "org")
      expect(await orgOf({ ...bearer(made.token), "x-org": made.two })).toBe(made.two)
      expect(await orgOf(bearer(made.tokens.two))).toBe(made.two)
      expect(await orgOf(bearer(made.alone.token))).toBe(made.one)
      expect([await orgOf(bearer(made.token)), await orgOf(bearer(made.loner.token))]).toEqual([null, null])
      // Neither an org of the user nor the org of the token.
      for (const [token, org] of [
        [made.alone.token, made.two],
        [made.tokens.one, made.two],
        [made.token, "org_x"]
      ] as const)
        expect(await refusal(await ask("GET", "/me", { ...bearer(token), "x-org": org }))).toEqual([
          403,
          "org_refused",
          null
        ])
    }))

  test("admits only users with the permission in the org of the path, whatever org the rest of the request names", () =>
    asking({ orgHeader: "x-org", orgParam: "org" }, async (ask) => {
      const bills = (org: string, token: string, more = {}) =>
        ask("GET", `/orgs/${org}/bills`, { ...bearer(token), ...more })
      const { one, two } = made
      expect(await (await bills(one, made.token)).json()).toEqual({ org: one, of: one })
      expect(await (await bills(one, made.token, { "x-org": two })).json()).toEqual({ org: one, of: one })
      const scope = 'Bearer error="insufficient_scope", scope="billing:read"'
      for (const more of [{}, { "x-org": one }])
        expect(await refusal(await bills(two, made.token, more))).toEqual([403, "permission_missing", scope])
      // The token is for the first org, where the user has the permission. That gives no access to another org.
      expect(await refusal(await bills(two, made.tokens.one))).toEqual([403, "org_refused", null])
      expect(await refusal(await bills(one, made.tokens.two))).toEqual([403, "org_refused", null])
      expect(await refusal(await bills(one, "x"))).toContain("session_invalid")
    }))

  test("requires the request to name an org if the user has several", () =>
    asking({}, async (ask) => {
      const bills = (token: string) => ask("GET", "/bills", bearer(token))
      expect(await refusal(await bills(made.token))).toEqual([403, "org_required", null])
      expect(await refusal(await bills(made.tokens.two))).toContain("permission_missing")
      expect(await refusal(await bills(made.loner.token))).toContain("permission_missing")
      expect(await (await bills(made.alone.token)).json()).toEqual({ org: made.one })
    }))

  test("names the missing setting if the realm's tokens include no orgs, even for a member with the permission", async () => {
    const { decode, token, org } = silent
    await running({ decode, orgParam: "org", orgHeader: "x-org" }, async (ask) => {
      const asked: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
        [`/orgs/${org}/bills`, {}],
        ["/bills", {}],
        ["/me", { "x-org": org }]
      ]
      for (const [path, more] of asked)
        expect(await refusal(await ask("GET", path, { ...bearer(token), ...more }))).toEqual([
          403,
          "orgs_missing",
          null
        ])
      const body = await (await ask("GET", "/bills", bearer(token))).json()
      expect(Reflect.get(Object(body), "message")).toContain("Set the realm's jwt_scopes to ar.orgs")
      expect((await ask("GET", "/me", bearer(token))).status).toBe(200)
    })
  })

  test("returns 503 rather than 401 if the realm's keys are unavailable", () =>
    running(
      {
        decode: async () => {
          throw new KeysUnavailable("away")
        }
      },
      async (ask) => {
        const answer = await ask("GET", "/me", bearer(made.token))
        expect(answer.headers.get("retry-after")).toBe("5")
        expect(await refusal(answer)).toEqual([503, "keys_unavailable", null])
        expect((await ask("GET", "/me")).status).toBe(401)
      }
    ))

  test("accepts the app's own decoder for a realm that signs with a secret", async () => {
    const realm = await newRealm()
    const token = (await realm.session((await realm.user()).id)).string("token")
    expect(await keyOf(realm)).toMatch(/^jsk_/)
    await running({ decode: await decoding(realm) }, async (ask) => {
      expect((await ask("GET", "/me", bearer(token))).status).toBe(200)
      expect((await ask("GET", "/me", bearer(made.token))).status).toBe(401)
    })
  })
})

test("a session contains the orgs, memberships and permissions in the token", async () => {
  const realm = await newRealm({ jwt_scopes: ["ar.orgs", "ar.custom"] })
  const [user, org] = [await realm.user(), await realm.org({ name: "Acme", reference: "o-1", custom: { plan: "pro" } })]
  const membership = await realm.membership(user.id, org.id, { permissions: ["a", "b"] })
  await realm.post("/v1/memberships", { membership: { user_id: user.id, permissions: ["alone"] } })
  const decoded = await (await decoding(realm))((await realm.session(user.id)).string("token"))
  if (decoded === null) throw new Error("The token is not valid.")
  const shown = { id: org.id, name: "Acme", reference: "o-1", custom: { plan: "pro" } }
  const acme = { ...shown, membership_id: membership.id, permissions: ["a", "b"] }
  expect(sessionFor(decoded, undefined)).toStrictEqual({ ...decoded, orgs: [acme], org: acme, permissions: ["a", "b"] })
  expect(sessionFor(decoded, "org_x")).toBeUndefined()
  // A membership without an org grants permissions outside orgs.
  const memberships = decoded.user.memberships?.filter(({ org_id }) => org_id === null) ?? []
  const without = sessionFor({ ...decoded, user: { ...decoded.user, memberships } }, undefined)
  expect([without?.org, without?.permissions]).toEqual([null, ["alone"]])
})

describe("middleware in the wrong order", () => {
  const decode: Decode = async () => null

  /** The error of an app whose handlers run in this order. */
  const failure = async (handlers: ReadonlyArray<RequestHandler>) => {
    const app = express()
    for (const handler of handlers) app.use(handler)
    const failed: ErrorRequestHandler = (error, _request, response, _next) =>
      void response.status(500).send(String(error))
    app.use(failed)
    const server = app.listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const address = server.address()
    try {
      return await (await fetch(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`)).text()
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }

  test("causes an error that names the missing or misplaced handler", async () => {
    expect(await failure([requirePermission("billing:read")])).toMatch(/^Error: requirePermission needs a session\. /)
    const other: RequestHandler = (request, _response, next) => {
      Reflect.set(request, "session", { cookie: {} })
      next()
    }
    for (const handler of [requireSession({ decode }), requirePermission("billing:read")])
      expect(await failure([other, handler])).toMatch(/^Error: request\.session is already set by another package\./)
    expect(await failure([readSession({ decode }), requirePermission("billing:read")])).toContain("session_missing")
    expect(() => sessionOf({ session: null })).toThrow("Use requireSession before this handler")
    expect(() => requireSession({ jwtKey: "short" })).toThrow("at least 32 bytes")
  })
})
