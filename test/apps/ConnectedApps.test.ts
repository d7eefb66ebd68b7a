import { describe, expect, test } from "vitest"
import { noAppearance } from "../support/appearances.ts"
import { appVersions, eventsSeenBy, minimalApp, noOAuthClient } from "../support/apps.ts"
import { destination, hookVersions } from "../support/hooks.ts"
import { now, rejectionOf, statusAndBody, unknownId } from "../support/invitations.ts"
import { clockedService, newRealm } from "../support/sallyport.ts"

const everything = {
  state: "inactive",
  name: "Acme Login",
  header: " <h1>Acme</h1>\n",
  footer: "<p>©</p>",
  external_css: "https://cdn.example.test/acme.css",
  login_handler: "https://app.example.test/login?from=acme",
  signup_handler: "http://localhost:8080/signup",
  redirect_uris: ["https://app.example.test/account", "com.example.app:/back", "com.example.app://back"],
  logout_uris: ["https://www.example.test/bye", "com.example.app:/bye"],
  signup_mode: "user_org",
  require_password_confirmation: true,
  require_names: true,
  require_org_name: true,
  allow_jsonp: false,
  auto_continue: false,
  allow_invitations: false,
  invitation_permissions: ["notes:read", "notes:write"]
}

describe.each(appVersions)("$path", (as) => {
  const { version, path, wrapper, named, title } = as

  test("creates an app with all fields and their defaults, and records login_policy.created", async () => {
    const realm = await newRealm()
    const caller = await realm.as("admin_realm")
    const { result, events } = await eventsSeenBy(as, realm).during(() =>
      caller.post(path, { [wrapper]: minimalApp() })
    )
    const subdomain = result.string("subdomain")
    expect(statusAndBody(result)).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^lpl_\w{26}$/),
        object: wrapper,
        name: "Acme",
        realm_id: realm.id,
        client_type: "standard",
        subdomain,
        domains: [`${subdomain}.local.localhost`],
        login_url: `https://${subdomain}.local.localhost/login`,
        state: "active",
        header: null,
        footer: null,
        external_css: null,
        login_handler: "https://app.example.test/login",
        signup_handler: null,
        redirect_uris: [],
        logout_uris: [],
        signup_mode: "user",
        require_password_confirmation: false,
        require_names: false,
        require_org_name: false,
        allow_jsonp: true,
        auto_continue: true,
        allow_invitations: true,
        invitation_permissions: [],
        appearance: noAppearance,
        ...noOAuthClient,
        created_at: now
      }
    })
    expect(events).toEqual([{ event_type: "login_policy.created", [named]: result.id }])
    const reader = await realm.as("read")
    expect(statusAndBody(await reader.get(`${path}/${result.id}`))).toEqual({ status: 200, body: result.body })
  })

  test("stores every given setting, with trimmed strings and harmless header and footer unchanged", async () => {
    const realm = await newRealm()
    const made = await realm.post(path, { [wrapper]: { ...everything, name: "  Acme Login ", realm_id: realm.id } })
    expect([made.status, made.body]).toMatchObject([201, everything])
    expect((await realm.get(`${path}/${made.id}`)).body).toEqual(made.body)
  })

  test("SEC-31: removes all code and data-sending markup from the header and footer", async () => {
    const realm = await newRealm()
    const header = '<h1 onclick="x">Acme<script>alert(1)</script></h1><a href="javascript:x" id="name">x</a></div>'
    const made = await realm.post(path, { [wrapper]: minimalApp({ header, footer: "<script>alert(1)</script>" }) })
    const shown = { header: '<h1>Acme</h1><a rel="noopener noreferrer">x</a>', footer: null }
    expect([made.status, made.body]).toMatchObject([201, shown])
    expect((await realm.get(`${path}/${made.id}`)).body).toEqual(made.body)

    const same = { [wrapper]: { header, footer: "<form></form>" } }
    const { result, events } = await eventsSeenBy(as, realm).during(() => realm.put(`${path}/${made.id}`, same))
    expect([result.body, events]).toEqual([made.body, []])
    const changed = await realm.put(`${path}/${made.id}`, { [wrapper]: { footer: "<b>x<form></b>" } })
    expect(changed.body).toEqual({ ...Object(made.body), footer: "<b>x</b>" })
  })

  test("updates only the given fields, and records login_policy.updated if something changes", async () => {
    const realm = await newRealm()
    const made = await realm.connectedApp()
    const subdomain = `${made.string("subdomain")}-2`
    const changes = [
      ...Object.entries(everything).map(([member, value]) => ({ [member]: value })),
      {
        subdomain,
        domains: [`${subdomain}.local.localhost`],
        login_url: `https://${subdomain}.local.localhost/login`
      },
      { header: null, footer: "", external_css: " ", signup_handler: null },
      { redirect_uris: null, logout_uris: null, signup_mode: null, auto_continue: null },
      { allow_invitations: null, invitation_permissions: null },
      { require_password_confirmation: null, require_names: null, require_org_name: null, allow_jsonp: null }
    ]
    const shown: Readonly<Record<string, unknown>> = {
      footer: null,
      external_css: null,
      redirect_uris: [],
      logout_uris: [],
      invitation_permissions: []
    }
    const defaults: Readonly<Record<string, unknown>> = {
      ...shown,
      signup_mode: "user",
      allow_jsonp: true,
      auto_continue: true,
      allow_invitations: true
    }
    const events = await eventsSeenBy(as, realm).caused(async () => {
      for (const change of changes) {
        const before = await realm.get(`${path}/${made.id}`)
        const result = await realm.put(`${path}/${made.id}`, { [wrapper]: change })
        const after = Object.fromEntries(
          Object.entries(change).map(([member, value]) => {
            if (value !== null && value !== "" && value !== " ") return [member, value]
            return [member, defaults[member] ?? (member.startsWith("require_") ? false : null)]
          })
        )
        expect(statusAndBody(result)).toEqual({ status: 200, body: { ...Object(before.body), ...after } })
        expect((await realm.get(`${path}/${made.id}`)).body).toEqual(result.body)
      }
    })
    expect(events).toEqual(changes.map(() => ({ event_type: "login_policy.updated", [named]: made.id })))
  })

  test("records no event if the fields are unchanged or read-only", async () => {
    const realm = await newRealm()
    const made = await realm.connectedApp(everything)
    const readOnly = {
      id: "lpl_x",
      object: "x",
      realm_id: realm.id,
      domains: ["login.acme.test"],
      login_url: "https://login.acme.test/login",
      created_at: 1
    }
    const again = { subdomain: ` ${made.string("subdomain").toUpperCase()} `, name: " Acme Login " }
    const events = await realm.seen.caused(async () => {
      for (const sent of [{}, made.body, readOnly, { ...Object(made.body), ...readOnly }, again, { subdomain: null }]) {
        const reply = await realm.put(`${path}/${made.id}`, { [wrapper]: sent })
        expect(statusAndBody(reply)).toEqual(statusAndBody(await realm.get(`${path}/${made.id}`)))
      }
    })
    expect(events).toEqual([])
    expect((await realm.get(`/v2/client_apps/${made.id}`)).body).toEqual(made.body)
  })

  test("deletes an app with 204 and login_policy.deleted", async () => {
    const realm = await newRealm()
    const made = await realm.connectedApp()
    const { result, events } = await eventsSeenBy(as, realm).during(() => realm.delete(`${path}/${made.id}`))
    expect([result.status, result.text]).toEqual([204, ""])
    expect(events).toEqual([{ event_type: "login_policy.deleted", [named]: made.id }])
    const silent = await realm.seen.caused(async () => {
      for (const id of [made.id, unknownId(made.id), "nonsense", realm.id]) {
        for (const reply of [
          await realm.get(`${path}/${id}`),
          await realm.put(`${path}/${id}`, { [wrapper]: { name: "x" } }),
          await realm.delete(`${path}/${id}`)
        ]) {
          expect(rejectionOf(reply)).toEqual({ status: 404, errors: [`${title} could not be found.`] })
        }
      }
    })
    expect(silent).toEqual([])
  })

  test("finds an app's events by its id under either version's name", async () => {
    const realm = await newRealm()
    const [made] = [await realm.connectedApp(), await realm.connectedApp()]
    await realm.put(`${path}/${made.id}`, { [wrapper]: { name: "Other" } })
    for (const filter of ["login_policy_id", "client_app_id"]) {
      const { items } = await realm.get(`/${version}/events?${filter}=${made.id}`)
      expect(items.map((event) => [event["event_type"], event[named]])).toEqual([
        ["login_policy.created", made.id],
        ["login_policy.updated", made.id]
      ])
    }
  })
})

describe.each(appVersions)("GET $path", ({ path, wrapper, title }) => {
  test("lists apps with domains, id, name, realm_id, subdomain and object", async () => {
    const realm = await newRealm()
    const made = await realm.connectedApp({ ...everything, subdomain: null })
    const subdomain = made.string("subdomain")
    expect(statusAndBody(await (await realm.as("read")).get(path))).toEqual({
      status: 200,
      body: {
        collection: [
          {
            id: made.id,
            object: wrapper,
            name: "Acme Login",
            realm_id: realm.id,
            client_type: "standard",
            subdomain,
            domains: [`${subdomain}.local.localhost`],
            login_url: `https://${subdomain}.local.localhost/login`
          }
        ],
        more_results: false
      }
    })
  })

  test("sorts by name, ignoring case, or by id, and pages in either direction", async () => {
    const realm = await newRealm()
    const apps = []
    for (const name of ["beta", "Alpha", "alpha", "Gamma"]) apps.push(await realm.connectedApp({ name }))
    const [beta, upper, lower, gamma] = apps.map(({ id }) => id)
    const ids = async (query: string) => (await realm.get(`${path}?${query}`)).items.map(({ id }) => id)
    expect(await ids("")).toEqual([upper, lower, beta, gamma])
    expect(await ids("sort=name&direction=desc")).toEqual([gamma, beta, lower, upper])
    expect(await ids("sort=id")).toEqual([beta, upper, lower, gamma])
    const first = await realm.get(`${path}?max_results=1`)
    expect([first.items.map(({ id }) => id), first.member("more_results")]).toEqual([[upper], true])
    expect(await ids(`max_results=2&after=${upper}`)).toEqual([lower, beta])
    expect(await ids(`direction=desc&after=${beta}`)).toEqual([lower, upper])
    expect(await ids(`sort=id&after=${upper}`)).toEqual([lower, gamma])
    expect(await ids(`sort=id&direction=desc&after=${lower}`)).toEqual([upper, beta])
    const foreign = await (await newRealm()).connectedApp()
    for (const after of ["nonsense", unknownId(foreign.id), foreign.id, realm.id]) {
      const reply = await realm.get(`${path}?after=${after}`)
      expect(rejectionOf(reply)).toEqual({ status: 404, errors: [`${title} could not be found.`] })
    }
  })

  test.each([
    ["sort=subdomain", "Sort must be one of: id, name."],
    ["direction=x", "Direction must be one of: asc, desc."],
    ["max_results=0", "Max results must be between 1 and 100."],
    ["max_results=101", "Max results must be between 1 and 100."]
  ])("returns 422 for ?%s", async (query, sentence) => {
    expect(rejectionOf(await (await newRealm()).get(`${path}?${query}`))).toEqual({
      status: 422,
      errors: [sentence]
    })
  })
})

test("a login handler is required under /v1 and optional under /v2", async () => {
  const realm = await newRealm()
  const blank = { status: 422, errors: ["Login handler can't be blank."] }
  for (const login_handler of [undefined, null, "", "  "]) {
    const reply = await realm.post("/v1/login_policies", { login_policy: minimalApp({ login_handler }) })
    expect(rejectionOf(reply)).toEqual(blank)
  }
  const made = await realm.post("/v2/client_apps", { client_app: { name: "Acme" } })
  expect([made.status, made.member("login_handler")]).toEqual([201, null])
  const path = `/v1/login_policies/${made.id}`
  const update = (attributes: object) => realm.put(path, { login_policy: attributes })
  expect((await update({ name: "Other" })).member("login_handler")).toBe(null)
  expect((await update({ login_handler: "https://a.test/" })).status).toBe(200)
  expect(rejectionOf(await update({ login_handler: null }))).toEqual(blank)
  const cleared = await realm.put(`/v2/client_apps/${made.id}`, { client_app: { login_handler: "" } })
  expect([cleared.status, cleared.member("login_handler")]).toEqual([200, null])
})

test("a webhook receives an app's events with the names of the webhook's API version", async () => {
  const own = await clockedService()
  const realm = await own.given.realm()
  const deliveredEvent = async (as: (typeof hookVersions)[number]) => {
    const hook = { event_type: ["login_policy.deleted"], destination: destination() }
    await realm.post(as.path, { [as.wrapper]: hook })
    const { id } = await realm.connectedApp()
    await realm.delete(`/v2/client_apps/${id}`)
    await own.advance(0)
    const posts = own.receiver.to(hook.destination).map(({ body }) => JSON.parse(body))
    return { posts, id }
  }
  const [v1, v2] = [await deliveredEvent(hookVersions[0]), await deliveredEvent(hookVersions[1])]
  expect(v1.posts).toMatchObject([{ event_type: "login_policy.deleted", login_policy_id: v1.id }])
  expect(v2.posts).toMatchObject([{ event_type: "login_policy.deleted", client_app_id: v2.id }])
  expect([v1.posts[0].client_app_id, v2.posts[0].login_policy_id]).toEqual([undefined, undefined])
})
