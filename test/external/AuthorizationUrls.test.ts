import { describe, expect, test } from "vitest"
import { CALLBACK, oauth2StandIn, profile, submitCallback, urlFor, urlQuery } from "../support/external.ts"
import { statusAndErrors } from "../support/logins.ts"
import { query } from "../support/query.ts"
import { newRealm, ownService } from "../support/sallyport.ts"

const wellKnown = ["facebook", "github", "google", "linkedin", "slack", "yahoo"]

describe("GET authorize (authorization URLs)", () => {
  test("v2: returns the authorization URL of each active provider except password and totp", async () => {
    const realm = await newRealm()
    const ids = []
    for (const provider_type of wellKnown) ids.push((await realm.authProvider({ provider_type })).id)
    ids.push((await realm.authProvider()).id)
    await realm.authProvider({ state: "inactive" })
    const { result, events } = await realm.seen.during(() => realm.get(`/v2/auth_providers/authorize?${urlQuery()}`))
    expect([result.status, events, result.member("more_results")]).toEqual([200, [], false])
    expect(result.items.map(({ auth_url: _, ...rest }) => rest)).toEqual(
      ids.map((id, n) => ({ id, provider_type: wellKnown[n] ?? "oauth2", realm_id: realm.id }))
    )
    const states = result.items.map(({ auth_url }) => new URL(String(auth_url)).searchParams.get("state"))
    expect(new Set(states).size).toBe(ids.length)
  })

  test("v1: returns the same URLs as url instead of auth_url, without realm_id", async () => {
    const realm = await newRealm()
    const { id } = await realm.authProvider({ provider_type: "github" })
    const list = await realm.get(`/v1/auth_providers/authorize?${urlQuery()}`)
    const one = await realm.get(`/v1/auth_providers/github/authorize?${urlQuery()}`)
    const shape = { id, provider_type: "github", url: expect.stringMatching(/^https:\/\/github\.com\/login\/oauth\//) }
    expect(list.body).toEqual({ collection: [shape], more_results: false })
    expect([one.status, one.body]).toEqual([200, shape])
  })

  test("finds a provider by id or type, but oauth2 providers only by id", async () => {
    const realm = await newRealm()
    const { id } = await realm.authProvider({ client_id: "acme", scopes: ["openid", "email"] })
    const url = await urlFor(realm, id)
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(url.searchParams)
    expect(url.origin + url.pathname).toBe("https://sso.example.test/authorize")
    expect(rest).toEqual({
      response_type: "code",
      client_id: "acme",
      redirect_uri: CALLBACK,
      scope: "openid email",
      code_challenge_method: "S256"
    })
    expect([state, nonce, code_challenge]).toEqual(Array(3).fill(expect.stringMatching(/^[\w-]{43}$/)))
    for (const name of ["oauth2", "password", "totp", "github", "nonsense"]) {
      const reply = await realm.get(`/v2/auth_providers/${name}/authorize?${urlQuery()}`)
      expect([name, ...statusAndErrors(reply)]).toEqual([name, 404, ["Auth provider could not be found."]])
    }
  })

  test("keeps the query of the provider's authorization URL and sends no scope unless configured", async () => {
    const realm = await newRealm()
    const { id } = await realm.authProvider({ authorization_url: "https://sso.example.test/a?tenant=acme&state=x" })
    const { searchParams } = await urlFor(realm, id)
    expect(searchParams.getAll("tenant")).toEqual(["acme"])
    expect(searchParams.getAll("state")).toEqual([expect.stringMatching(/^\w{43}$/)])
    expect([searchParams.has("scope"), searchParams.has("nonce")]).toEqual([false, false])
  })

  test.each([
    ["", "Redirect URI can't be blank."],
    ["redirect_uri=", "Redirect URI can't be blank."],
    ["redirect_uri=app", "Redirect URI must be an http or https URL."],
    ["redirect_uri=javascript:alert(1)", "Redirect URI must be an http or https URL."],
    ["redirect_uri=https://app.example.test/%23x", "Redirect URI can't contain a username, password or fragment."],
    [`redirect_uri=https://a.test/${"x".repeat(2_048)}`, "Redirect URI is too long (maximum is 2048 characters)."]
  ])("rejects an unusable redirect_uri: %s", async (query, sentence) => {
    const realm = await newRealm()
    const { id } = await realm.authProvider()
    for (const version of ["v1", "v2"]) {
      for (const path of ["authorize", `${id}/authorize`]) {
        expect(statusAndErrors(await realm.get(`/${version}/auth_providers/${path}?${query}`))).toEqual([
          422,
          [sentence]
        ])
      }
    }
  })

  test("SEC-55: returns no URL for an inactive provider or realm", async () => {
    const realm = await newRealm()
    const { id } = await realm.authProvider({ state: "inactive" })
    const off = await realm.get(`/v2/auth_providers/${id}/authorize?${urlQuery()}`)
    expect(statusAndErrors(off)).toEqual([422, ["This login method is turned off for this realm."]])
    expect((await realm.get(`/v2/auth_providers/authorize?${urlQuery()}`)).items).toEqual([])
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    const closed = await realm.get(`/v2/auth_providers/authorize?${urlQuery()}`)
    expect(statusAndErrors(closed)).toEqual([422, ["The realm is inactive, so nobody can log in."]])
  })
})

test("SEC-60: an authorization URL expires after 30 minutes and its state is deleted", async () => {
  await ownService(async ({ given, advance, sql }) => {
    const realm = await given.realm()
    const { provider } = await oauth2StandIn(realm, profile())
    const url = async () => (await urlFor(realm, provider.id)).searchParams.get("state")
    const early = await url()
    await advance("29 minutes")
    const late = await url()
    await advance("1 minute")
    expect(statusAndErrors(await submitCallback(realm, { state: early }))).toEqual([
      422,
      ["State is invalid, has expired or has already been used."]
    ])
    const left = await query(sql`select id from oauth_states where realm_id = ${realm.id}`)
    expect(left.length).toBe(1)
    expect((await submitCallback(realm, { state: late })).status).toBe(201)
  })
})
