import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { operations, operationsOnResource, pathOf } from "../support/operations.ts"
import { pageOf, statusAndHeading } from "../support/pages.ts"
import { raw } from "../support/rawHttp.ts"
import { bodyOf, resourceFor } from "../support/resources.ts"
import { newRealm, service } from "../support/sallyport.ts"
import { passwordToken } from "../support/tokens.ts"

const form = { "content-type": "application/x-www-form-urlencoded" }

/** The status of a response and the field that its error names. */
const errorOf = (reply: Reply) => [reply.status, reply.member("error_details", 0, "field")]

describe("SEC-79 (CVE-2026-9689): duplicate parameters", () => {
  test("are rejected in the query when reading a single resource", async () => {
    const realm = await newRealm()
    for (const operation of operationsOnResource.filter(({ method }) => method === "GET")) {
      const path = pathOf(operation, () => "x")
      for (const name of operation.query.filter((one) => !["expand", "realm_id"].includes(one))) {
        const reply = await realm.get(`${path}?${name}=1&${name}=2`)
        expect([operation.name, name, reply.status === 422 || reply.status === 404]).toEqual([
          operation.name,
          name,
          true
        ])
      }
    }
  })

  test("use the last value in JSON", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const locked = await realm.as("write")
    const ask = (first: string, last: string) =>
      locked.call("POST", "/v2/orgs", {
        body: `{"org": {"name": "First", "realm_id": "${first}", "name": "Last", "realm_id": "${last}"}}`
      })
    const created = await ask(other.id, realm.id)
    expect([created.status, created.member("name"), created.member("realm_id")]).toEqual([201, "Last", realm.id])
    expect((await ask(realm.id, other.id)).status).toBe(404)
    const { name } = { name: uniqueText("Org") }
    const wrapped = await locked.call("POST", "/v2/orgs", { body: `{"org": {"name": ""}, "org": {"name": "${name}"}}` })
    expect([wrapped.status, wrapped.member("name")]).toEqual([201, name])
  })

  test("are rejected in forms of the management API", async () => {
    const realm = await newRealm()
    for (const body of [
      "org[name]=One&org[name]=Two",
      "org[name]=One&org[name][]=Two",
      "org[name][]=One&org[name]=Two"
    ]) {
      const reply = await realm.call("POST", "/v2/orgs", { body, headers: form })
      expect([body, ...errorOf(reply)]).toEqual([body, 422, "name"])
    }
  })

  test("are rejected in a page's form, and ignored in the URL of a POST", async () => {
    const realm = await newRealm()
    const token = await passwordToken(realm, (await realm.user()).id)
    const page = pageOf(realm, "reset")
    const password = "seven purple elephants"
    const post = (query: string, body: string) => realm.call("POST", `${page.path}${query}`, { body, headers: form })
    const twice = await post("", `token=${token}&token=x&password=${password}&password_confirmation=${password}`)
    expect(twice.status).toBeGreaterThanOrEqual(400)
    expect((await realm.get(`${page.path}?token=${token}&token=x`)).status).toBeGreaterThanOrEqual(400)
    // A POST reads only its form and ignores the query.
    const other = await post(`?token=${token}`, `token=x&password=${password}&password_confirmation=${password}`)
    expect(other.status).toBe(410)
    expect(statusAndHeading(await page.show({ token }))[0]).toBe(200)
  })

  test("are rejected if realm or Authorization headers conflict", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const { key } = await service()
    const lines = (...more: ReadonlyArray<string>) =>
      raw([`GET /v2/users HTTP/1.1`, "Host: id.example.test", "Connection: close", ...more, "", ""].join("\r\n"))
    const bearer = `Authorization: Bearer ${key}`
    const statuses = async (...more: ReadonlyArray<string>) => (await lines(...more)).map(({ status }) => status)
    const named = [`X-Service-Realm: ${realm.id}`, `X-Service-Realm: ${other.id}`]
    expect(await statuses(bearer, named[0] ?? "")).toEqual([200])
    expect(await statuses(bearer, ...named)).toEqual([404])
    expect(await statuses(bearer, bearer, named[0] ?? "")).toEqual([
      expect.toSatisfy((status) => [200, 400, 401].includes(status))
    ])
    expect(await statuses("Authorization: Bearer x", bearer, named[0] ?? "")).toEqual([
      expect.toSatisfy((status) => [400, 401].includes(status))
    ])
  })
})

test("SEC-78 (CVE-2026-0976): a path parameter (;a=1) is treated as part of the path", async () => {
  const realm = await newRealm()
  const { id } = await realm.org()
  for (const path of [`/v2/orgs/${id};a=1`, "/v2/orgs;a=1", `/v2;a=1/orgs/${id}`, `/v2/users/..;/orgs/${id}`]) {
    expect([path, (await realm.get(path)).status]).toEqual([path, 404])
  }
  expect((await realm.get(`/v2/orgs/${id}`)).status).toBe(200)
})

const polluting = { admin: true, secret: "polluted", state: "inactive", realm_id: "rl_polluted" }

describe("SEC-76: prototype pollution", () => {
  test.each(
    operations.filter(({ operation, wrapper }) => operation === "create" && wrapper !== undefined)
  )("is impossible through $name", async (operation) => {
    const realm = await newRealm()
    const sample = Object(await bodyOf(operation, realm))[operation.wrapper ?? ""]
    const inner = JSON.stringify({ ...sample, constructor: { prototype: polluting } }).slice(0, -1)
    const body = `{"__proto__": ${JSON.stringify(polluting)}, "${operation.wrapper}": ${inner}, "__proto__": ${JSON.stringify(polluting)}}}`
    const reply = await realm.call("POST", operation.template, { body })
    expect([reply.status, reply.text.includes("polluted")]).toEqual([operation.isContractResource ? 201 : 422, false])
    expect(reply.member("state")).not.toBe("inactive")
    expect(Reflect.ownKeys(Object.prototype)).not.toContain("admin")
    const encoded = `${operation.wrapper}[__proto__][admin]=1&__proto__[admin]=1&${operation.wrapper}[constructor][prototype][admin]=1`
    expect((await realm.call("POST", operation.template, { body: encoded, headers: form })).status).toBeLessThan(500)
    expect(Reflect.get({}, "admin")).toBeUndefined()
  })
})

/** Texts that a database can't store or that a parser might misread. */
const unusualTexts = [
  "\u0000",
  "a\u0000b",
  "\ud800",
  "%ED%A0%80",
  "\u202e",
  "9".repeat(400),
  "1e999",
  "-0",
  "\u2028",
  "%00",
  "%ff"
]

describe("SEC-77: unusual text never causes a server error", () => {
  test.each(["verify", "reset", "invitation"] as const)("on the page %s", async (name) => {
    const realm = await newRealm()
    const { path } = pageOf(realm, name)
    for (const text of unusualTexts) {
      const value = encodeURIComponent(text.toWellFormed())
      const fields = ["token", "password", "email", "username", "code", "mode"]
        .map((field) => `${field}=${value}`)
        .join("&")
      for (const reply of [
        await realm.get(`${path}?${fields}`),
        await realm.get(`${path}?token=${text.startsWith("%") ? text : value}`),
        await realm.call("POST", path, { body: fields, headers: form })
      ]) {
        expect([text, reply.status < 500]).toEqual([text, true])
      }
    }
  })

  test("in headers", async () => {
    const realm = await newRealm()
    for (const text of ["\u00ff", "x".repeat(4_000), "'", "%00", "a\tb", "__proto__"]) {
      for (const name of [
        "x-service-realm",
        "accept-language",
        "cookie",
        "idempotency-key",
        "x-request-id",
        "origin"
      ]) {
        const reply = await realm.call("POST", "/v2/orgs", { body: { org: { name: "x" } }, headers: { [name]: text } })
        expect([name, text, reply.status < 500]).toEqual([name, text, true])
      }
    }
  })

  test.each(["jwt_keys", "hooks", "client_apps"])("as an id in /v2/%s", async (resource) => {
    const realm = await newRealm()
    const [operation] = operations.filter((one) => one.version === "v2" && one.resource === resource)
    if (operation === undefined) throw new Error(`There are no ${resource}`)
    const id = await resourceFor(operation, realm)
    for (const text of unusualTexts) {
      const reply = await realm.get(`/v2/${resource}/${id}${encodeURIComponent(text.toWellFormed())}`)
      expect([text, reply.status]).toEqual([text, 404])
    }
  })
})
