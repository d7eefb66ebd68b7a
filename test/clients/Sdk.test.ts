import { describe, expect, test } from "vitest"
import { Forbidden, Invalid, NotFound, SallyportError, Unauthorized } from "#client/Client"
import { Sallyport } from "#client/Sallyport"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { appAt } from "../external/BrowserLogins.ts"
import { PASSWORD } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"
import { fetchWithin, inNewRealm, rootOptions } from "../support/sdk.ts"

const email = () => `${uniqueText("ada")}@example.test`

/** The event types of a realm's users, oldest first. */
const userEvents = async (realm: GivenRealm) =>
  (await realm.seen.all()).map((event) => String(event["event_type"])).filter((type) => type.startsWith("user."))

/** The error of a failed call. */
const failureOf = async (call: PromiseLike<unknown>): Promise<SallyportError> => {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error
  )
  if (failure instanceof SallyportError) return failure
  throw new Error("The call did not fail with a SallyportError.", { cause: failure })
}

describe("the SDK", () => {
  test("creates, reads, changes and deletes a user with the API's members", async () => {
    const { sallyport, realm } = await inNewRealm()
    const address = email()
    const created = await sallyport.users.create({ email: address, password: PASSWORD, custom: { plan: "gold" } })
    expect(created).toMatchObject({ object: "user", email: address, realm_id: realm.id, custom: { plan: "gold" } })
    const updated = await sallyport.users.update(created.id, { first_name: "Ada", last_name: undefined })
    expect(updated).toMatchObject({ id: created.id, first_name: "Ada", last_name: null })
    expect(await sallyport.users.get(address)).toEqual(updated)
    expect(await sallyport.users.delete(created.id)).toBeUndefined()
    expect(await failureOf(sallyport.users.get(created.id))).toBeInstanceOf(NotFound)
    expect(await userEvents(realm)).toEqual(["user.created", "user.updated", "user.deleted"])
  })

  test("accepts an actor in addition to the parameters, and the event names that actor", async () => {
    const { sallyport } = await inNewRealm()
    const request = { ip: "198.51.100.7", client: "Mobile" }
    const user = await sallyport.users.create({ email: email(), credentials: [], request })
    const [event] = (await sallyport.events.list({ user_id: user.id })).items
    expect(event).toMatchObject({ event_type: "user.created", request })
  })

  test("includes related resources named once or several times in `expand`", async () => {
    const { sallyport } = await inNewRealm()
    const user = await sallyport.users.create({ email: email(), credentials: [], org: { name: "Acme" } })
    expect((await sallyport.users.get(user.id)).memberships).toBeUndefined()
    const one = await sallyport.users.get(user.id, { expand: "memberships" })
    const both = await sallyport.users.get(user.id, { expand: ["memberships", "custom"] })
    expect([one.memberships?.length, both.memberships?.[0]?.org?.name]).toEqual([1, "Acme"])
  })

  test("filters events by a list of types", async () => {
    const { sallyport } = await inNewRealm()
    const user = await sallyport.users.create({ email: email(), credentials: [] })
    await sallyport.users.update(user.id, { first_name: "Ada" })
    await sallyport.users.delete(user.id)
    const { items } = await sallyport.events.list({ event_type: ["user.created", "user.deleted"] })
    expect(items.map((event) => event.event_type).sort()).toEqual(["user.created", "user.deleted"])
  })

  test("offers version 1 under v1, with version 1's members", async () => {
    const { sallyport } = await inNewRealm()
    const robot = await sallyport.v1.users.create({ user_type: "api", username: uniqueText("robot") })
    expect(robot).toMatchObject({ object: "user", user_type: "api" })
    expect((await sallyport.v1.users.list({ user_type: "api" })).items.map(({ id }) => id)).toEqual([robot.id])
  })

  test("returns undefined for an operation without a response body", async () => {
    const { sallyport } = await inNewRealm()
    const org = await sallyport.orgs.create({ name: "Acme" })
    expect(await sallyport.orgs.delete(org.id)).toMatchObject({ id: org.id, state: "closed" })
    expect(await sallyport.orgs.delete(org.id, { force: true })).toBeUndefined()
  })
})

describe("the realm of a call", () => {
  test("comes from the parameters, then the options, then the client", async () => {
    const { sallyport, realm } = await inNewRealm()
    const [two, three] = [(await inNewRealm()).realm.id, (await inNewRealm()).realm.id]
    const user = () => ({ email: email(), credentials: [] })
    const own = await sallyport.users.create(user())
    const byOptions = await sallyport.users.create(user(), { realmId: two })
    const byParameters = await sallyport.users.create({ ...user(), realm_id: three }, { realmId: two })
    expect([own, byOptions, byParameters].map(({ realm_id }) => realm_id)).toEqual([realm.id, two, three])
  })

  test("is part of the body when an API key or a hook is created", async () => {
    const { sallyport, realm } = await inNewRealm()
    const other = (await inNewRealm()).realm.id
    const keys = [
      await sallyport.apiKeys.create({ name: "one", level: "read" }),
      await sallyport.apiKeys.create({ name: "two", level: "read", realm_id: other })
    ]
    expect(keys.map(({ realm_id }) => realm_id)).toEqual([realm.id, other])
    const hook = await sallyport.hooks.create({ hook_type: "webhook", destination: "https://app.example.test/hook" })
    expect(hook).toMatchObject({ realm_id: realm.id, hook_type: "webhook" })
  })

  test("is not sent in operations on realms themselves", async () => {
    const { sallyport, realm } = await inNewRealm()
    const other = (await inNewRealm()).realm.id
    expect((await sallyport.realms.get(other)).id).toBe(other)
    const made = await sallyport.realms.create({ name: uniqueText("Realm"), jwt_algo: "hs256" })
    expect(made.id).not.toBe(realm.id)
  })
})

describe("lists", () => {
  const withUsers = async (count: number) => {
    const made = await inNewRealm()
    const emails = Array.from({ length: count }, (_, index) => `u${index}@example.test`)
    for (const address of emails) await made.sallyport.users.create({ email: address, credentials: [] })
    return { ...made, emails }
  }

  test("return one page and the start of the next page when awaited", async () => {
    const { sallyport, emails } = await withUsers(3)
    const first = await sallyport.users.list({ max_results: 2 })
    expect(first.items.map((user) => user.email)).toEqual(emails.slice(0, 2))
    expect([first.more_results, first.after]).toEqual([
      true,
      expect.stringMatching(`^${first.items[1]?.id}\\.email\\.`)
    ])
    const second = await sallyport.users.list({ max_results: 2, after: first.after })
    expect(second.items.map((user) => user.email)).toEqual(emails.slice(2))
    expect([second.more_results, second.after]).toEqual([false, undefined])
  })

  test("yield the items of all pages when iterated, requesting each page on demand", async () => {
    const { sallyport, realm, emails } = await withUsers(5)
    const { transport } = await service()
    let pages = 0
    const counting = new Sallyport({
      ...(await rootOptions()),
      realmId: realm.id,
      fetch: (url, init) => {
        pages += 1
        return fetchWithin(transport)(url, init)
      }
    })
    const found: Array<string | null> = []
    const seen: Array<number> = []
    for await (const user of counting.users.list({ max_results: 2, sort: "email" })) {
      found.push(user.email)
      seen.push(pages)
    }
    expect(found).toEqual(emails)
    expect(seen).toEqual([1, 1, 2, 2, 3])
    for await (const _ of counting.users.list({ max_results: 2 })) break
    expect(pages).toBe(4)
    const sizes: Array<number> = []
    for await (const { items } of sallyport.users.list({ max_results: 2 }).pages()) sizes.push(items.length)
    expect(sizes).toEqual([2, 2, 1])
  })

  test("behave like promises, and reject like other calls", async () => {
    const { sallyport } = await withUsers(1)
    const [users, orgs] = await Promise.all([sallyport.users.list(), sallyport.orgs.list()])
    expect([users.items.length, orgs.items.length]).toEqual([1, 0])
    let ended = 0
    const list = sallyport.users.list({ after: "usr_none" })
    expect(await list.catch((error: unknown) => error)).toBeInstanceOf(NotFound)
    await list.finally(() => (ended += 1)).catch(() => undefined)
    expect(ended).toBe(1)
  })

  test("end after their items if the endpoint has no pages", async () => {
    const { sallyport, realm } = await inNewRealm()
    const provider = await realm.authProvider({ name: "Acme SSO" })
    const ids: Array<string> = []
    const redirect_uri = "https://app.example.test/back"
    for await (const { id } of sallyport.externalAuthentication.listUrls({ redirect_uri })) ids.push(id)
    expect(ids).toEqual([provider.id])
  })
})

describe("errors", () => {
  test("report every problem with its code and field, and the request ID", async () => {
    const { sallyport } = await inNewRealm()
    const failure = await failureOf(sallyport.users.create({ email: "nonsense" }))
    expect(failure).toBeInstanceOf(Invalid)
    expect(failure).toMatchObject({
      name: "Invalid",
      _tag: "Invalid",
      route: "POST /v2/users",
      status: 422,
      code: "email_form",
      errors: ["Email is not a valid email address.", "Password can't be blank."],
      details: [
        { field: "email", code: "email_form" },
        { field: "password", code: "blank" }
      ],
      requestId: expect.stringMatching(/^req_/)
    })
    expect(failure.message).toBe("POST /v2/users: Email is not a valid email address. Password can't be blank.")
  })

  test("use the language requested by the client or the call", async () => {
    const { sallyport } = await inNewRealm({}, { headers: { "accept-language": "es" } })
    const spanish = await failureOf(sallyport.users.get("usr_none"))
    const english = await failureOf(sallyport.users.get("usr_none", {}, { headers: { "accept-language": "en" } }))
    expect([spanish.errors, english.errors]).toEqual([["Usuario: no se ha encontrado."], ["User could not be found."]])
  })

  test("have a class for each status", async () => {
    const { sallyport, realm } = await inNewRealm()
    const wrong = new Sallyport({ ...(await rootOptions()), key: "sk_wrong" })
    expect(await failureOf(wrong.users.list())).toBeInstanceOf(Unauthorized)
    const { key = "" } = await realm.as("read")
    const reader = new Sallyport({ ...(await rootOptions()), key })
    expect(await failureOf(reader.users.create({ email: email() }))).toBeInstanceOf(Forbidden)
    const contradicting = await failureOf(
      sallyport.users.list({ realm_id: "rl_1" }, { headers: { "x-service-realm": realm.id } })
    )
    expect(contradicting).toMatchObject({ _tag: "BadRequest", status: 400, code: "contradicting_realm" })
  })

  test("do not mistake a wrong URL or an unknown operation for a missing resource", async () => {
    const { fetch, key, url } = await rootOptions()
    const elsewhere = new Sallyport({ url: `${url}/elsewhere`, key, fetch })
    const absent = await failureOf(elsewhere.users.get("usr_1"))
    expect(absent).toMatchObject({ _tag: "UnexpectedAnswer", status: 404, code: "no_such_address" })
    expect(absent.message).toBe(
      "GET /v2/users/{user_id}: There is nothing at this address. Check the client's `url`, or whether the service is older than the client."
    )
  })
})

describe("calls without an API key", () => {
  test("read the public keys of a realm and of an app's host", async () => {
    const { realm } = await inNewRealm({ jwt_algo: "rs256" })
    const { url, fetch } = await rootOptions()
    const open = new Sallyport({ url, fetch })
    const { keys } = await open.publicKeys.jwks(realm.id)
    const app = await appAt(realm)
    expect(keys.map((key) => key.kty)).toEqual(["RSA"])
    expect((await open.publicKeys.appJwks({ url: app.origin })).keys).toEqual(keys)
    expect((await open.publicKeys.discovery(realm.id)).jwks_uri).toContain(realm.id)
  })

  test("log in at an app's host, and return a rejected login as a result", async () => {
    const { sallyport, realm } = await inNewRealm()
    const address = email()
    await sallyport.users.create({ email: address, password: PASSWORD })
    const app = await appAt(realm)
    const { fetch } = await rootOptions()
    const { hosted } = new Sallyport({ url: app.origin, fetch }).v1
    const login = await hosted.login({ email: address, password: PASSWORD, state: "n7Q2" })
    expect(login).toMatchObject({ result: "okay", token: expect.any(String) })
    const refused = await hosted.login({ email: address, password: "another" })
    expect(refused).toEqual({ error: "Login failed.", errors: ["Login failed."] })
    expect("token" in login && (await hosted.getCheckSession({ token: login.token ?? "" }))).toEqual({ valid: true })
  })

  test("return the URL of a social login", async () => {
    const { realm } = await inNewRealm()
    const provider = await realm.authProvider({ name: "Acme SSO" })
    const app = await appAt(realm)
    const { fetch } = await rootOptions()
    const { hosted } = new Sallyport({ url: app.origin, fetch }).v1
    const { location } = await hosted.startSocialLogin(provider.id)
    expect(location).toMatch(/^https:\/\/sso\.example\.test\/authorize\?/)
  })
})

describe("a call that creates a resource", () => {
  test("creates only one resource even if the client repeats the call after a lost response", async () => {
    const { fetch } = await rootOptions()
    let lost = 0
    const { sallyport, realm } = await inNewRealm(
      {},
      {
        fetch: async (url, init) => {
          const answer = await fetch(url, init)
          if (init.method !== "POST" || lost++ > 0) return answer
          throw new TypeError("fetch failed", { cause: new Error("other side closed") })
        }
      }
    )
    const user = await sallyport.users.create({ email: email(), credentials: [] })
    expect((await sallyport.users.list()).items.map(({ id }) => id)).toEqual([user.id])
    expect([lost, await userEvents(realm)]).toEqual([2, ["user.created"]])
  })

  test("creates only one resource for the caller's idempotency key, even from two clients", async () => {
    const { sallyport } = await inNewRealm()
    const user = { email: email(), credentials: [] }
    const idempotencyKey = uniqueText("order")
    const [one, two] = [
      await sallyport.users.create(user, { idempotencyKey }),
      await sallyport.users.create(user, { idempotencyKey })
    ]
    expect(two).toEqual(one)
  })
})
