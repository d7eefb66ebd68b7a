import { describe, expect, test } from "vitest"
import { Api } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { lists, operations, pathOf } from "../support/operations.ts"
import { filterOf, listPath } from "../support/resources.ts"
import { service } from "../support/sallyport.ts"

let shared: Promise<GivenRealm> | undefined

/** The realm shared by all tests that leave it unchanged. */
const realmOf = () => (shared ??= service().then(({ given }) => given.realm()))

const ofVersion = (version: string) => operations.filter((operation) => operation.version === version)

describe("C63: an unknown query parameter in /v2 returns 422 without any effect", () => {
  test.each(ofVersion("v2"))("$name", async (operation) => {
    const realm = await realmOf()
    const path = pathOf(operation, () => realm.id)
    const reply = await realm.call(operation.method, `${path}?reelm_id=x`)
    const known = [...new Set([...operation.query, "realm_id"])].sort().join(", ")
    const message = `Unknown query parameter reelm_id. Did you mean realm_id? This request takes: ${known}.`
    expect([reply.status, reply.errors]).toEqual([422, [message]])
    expect(reply.member("error_details")).toEqual([
      {
        field: "reelm_id",
        code: "unknown_parameter",
        message,
        params: { parameter: "reelm_id", nearest: "realm_id", known },
        allowed: known.split(", ")
      }
    ])
  })

  test("deletes nothing and records no event in a DELETE", async () => {
    const realm = await realmOf()
    const { id } = await realm.org()
    const { result, events } = await realm.seen.during(() => realm.delete(`/v2/orgs/${id}?forced=true`))
    expect([result.status, result.member("error_details", 0, "params", "nearest"), events]).toEqual([422, "force", []])
    expect((await realm.get(`/v2/orgs/${id}`)).member("state")).toBe("active")
  })

  test("is reported along with all other unknown parameters, up to twenty", async () => {
    const realm = await realmOf()
    const reportedFields = async (query: string) => {
      const { body } = await realm.get(`/v2/users?${query}`)
      return Reflect.get(Object(body), "error_details").map(({ field }: { field: string }) => field)
    }
    expect(await reportedFields("limit=2&emial=x&emial=y&filter[a]=b")).toEqual(["limit", "emial", "filter[a]"])
    const many = Array.from({ length: 40 }, (_, n) => `x${n}=1`).join("&")
    expect(await reportedFields(many)).toHaveLength(20)
    expect(await reportedFields(`${"y".repeat(3_000)}=1`)).toEqual(["y".repeat(64)])
  })

  test.each([
    ["limit", "max_results"],
    ["per_page", "max_results"],
    ["page", "after"],
    ["order", "direction"],
    ["realm", "realm_id"],
    ["include", "expand"]
  ])("gets a suggestion if other APIs use the parameter: %s (%s)", async (name, nearest) => {
    const reply = await (await realmOf()).get(`/v2/users?${name}=1`)
    expect(reply.member("error_details", 0, "params", "nearest")).toBe(nearest)
  })

  test.each([
    "q",
    "request_id",
    "expand",
    "id"
  ])("gets a list of the known parameters instead of a suggestion: %s", async (name) => {
    const reply = await (await realmOf()).get(`/v2/sessions?${name}=1`)
    const known = "after, direction, max_results, realm_id, sort, user_id"
    const message = `Unknown query parameter ${name}. This request takes: ${known}.`
    expect([reply.status, reply.member("error_details")]).toEqual([
      422,
      [
        {
          field: name,
          code: "unknown_parameter",
          message,
          params: { parameter: name, known },
          allowed: ["after", "direction", "max_results", "realm_id", "sort", "user_id"]
        }
      ]
    ])
  })

  test("is reported in the caller's language", async () => {
    const realm = await realmOf()
    const reply = await realm.call("GET", "/v2/sessions?user=x", { headers: { "accept-language": "es" } })
    expect(reply.errors).toEqual([
      "Parámetro desconocido en la consulta: user. ¿Quiso decir user_id? Esta solicitud admite: after, direction, max_results, realm_id, sort, user_id."
    ])
  })

  test("is reported only after the level of the key is checked", async () => {
    const realm = await realmOf()
    const reader = await realm.as("read")
    expect((await new Api(realm.transport, undefined).get("/v2/users?limit=1")).status).toBe(401)
    expect((await reader.post("/v2/orgs?limit=1", { org: { name: "A" } })).status).toBe(403)
  })
})

describe("known query parameters are accepted", () => {
  test.each(ofVersion("v2"))("realm_id of $name", async (operation) => {
    const realm = await realmOf()
    const path = pathOf(operation, () => "x")
    const reply = await realm.call(operation.method, `${path}?realm_id=${realm.id}`)
    expect(reply.text).not.toContain("unknown_parameter")
  })

  test.each(
    ofVersion("v2").flatMap(({ name, query, method, template }) =>
      query.map((parameter) => ({ name, parameter, method, template }))
    )
  )("$parameter of $name, as a single value, as a list and in the body of a DELETE", async ({
    parameter,
    method,
    template
  }) => {
    const realm = await realmOf()
    for (const query of [`${parameter}=x`, `${parameter}[]=x`]) {
      expect((await realm.call(method, `${template}?${query}`)).text).not.toContain("unknown_parameter")
    }
    if (method === "DELETE") {
      const reply = await realm.call(method, template, { body: { [parameter]: "x", nonsense: 1 } })
      expect(reply.text).not.toContain("unknown_parameter")
    }
  })

  test("request attributes in the query of a DELETE", async () => {
    const realm = await realmOf()
    const { id } = await realm.user()
    expect((await realm.delete(`/v2/users/${id}?request[ip]=203.0.113.9&request[client]=app`)).status).toBe(204)
    const event = (await realm.get("/v2/events?direction=desc&max_results=1")).items[0]
    expect([event?.["event_type"], event?.["request"]]).toEqual(["user.deleted", { ip: "203.0.113.9", client: "app" }])
  })
})

describe("C63: /v1 ignores unknown query parameters and lists their names in X-Service-Ignored", () => {
  test.each(ofVersion("v1").filter(({ method }) => method === "GET"))("$name", async (operation) => {
    const realm = await realmOf()
    const path = pathOf(operation, () => "x")
    const plain = await realm.get(path)
    const reply = await realm.get(`${path}?limit=2&a%2Cb%0D%0Ac=1`)
    expect([reply.status, reply.headers.get("x-service-ignored")]).toEqual([plain.status, "limit, a%2Cb%0D%0Ac"])
    expect(plain.headers.get("x-service-ignored")).toBe(null)
  })

  test("in successful writes and in errors, without known parameters", async () => {
    const realm = await realmOf()
    const created = await realm.post("/v1/orgs?notify=1", { org: { name: "A" } })
    expect([created.status, created.headers.get("x-service-ignored")]).toEqual([201, "notify"])
    const rejected = await realm.post("/v1/orgs?notify=1", { org: { name: "" } })
    expect([rejected.status, rejected.headers.get("x-service-ignored")]).toEqual([422, "notify"])
    const listed = await realm.get("/v1/orgs?max_results=1&sort=id&expand[]=custom")
    expect([listed.status, listed.headers.get("x-service-ignored")]).toEqual([200, null])
  })
})

describe("a blank `after` returns the first page", () => {
  test.each(lists)("$name", async (operation) => {
    const realm = await realmOf()
    const [path, filter] = [await listPath(operation, realm), await filterOf(operation, realm)]
    const first = await realm.get(`${path}?${filter}max_results=2`)
    for (const after of ["after=", "after=%20"]) {
      const reply = await realm.get(`${path}?${filter}max_results=2&${after}`)
      expect([reply.status, reply.body]).toEqual([200, first.body])
    }
  })
})
