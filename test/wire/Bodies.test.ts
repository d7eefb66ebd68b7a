import { describe, expect, test } from "vitest"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { operations, pathOf } from "../support/operations.ts"
import { bodyOf, resourceFor } from "../support/resources.ts"
import { wireService } from "../support/sallyport.ts"

const realmOf = async () => (await wireService()).given.realm()

let untouched: ReturnType<typeof realmOf> | undefined

/** The realm shared by all requests with a rejected body. */
const untouchedRealm = () => (untouched ??= realmOf())

const FORM = "application/x-www-form-urlencoded"

const send = (caller: GivenRealm, method: string, path: string, body: string, contentType: string = FORM) =>
  caller.call(method, path, { body, headers: { "content-type": contentType } })

describe("JSON and form-encoded bodies", () => {
  test("a form with attributes, lists and extra parameters creates the same resources as JSON", async () => {
    const realm = await realmOf()
    const org = await realm.org()
    const email = `${uniqueText("form")}@example.test`
    const form = [
      `user[email]=${encodeURIComponent(email)}`,
      "user[password]=correct+horse+battery",
      "user[first_name]=J%C3%B6",
      "user[permissions][]=team:read",
      "user[permissions][]=team:write",
      `user[org_ids][]=${org.id}`,
      "user[custom][plan]=gold",
      "user[custom][tags][]=a",
      "user[custom][tags][]=b",
      "request[ip]=192.0.2.7"
    ].join("&")
    const { result, events } = await realm.seen.during(() => send(realm, "POST", "/v2/users", form))
    expect([result.status, result.body]).toEqual([201, expect.objectContaining({ email, first_name: "Jö" })])
    expect(result.member("custom")).toEqual({ plan: "gold", tags: ["a", "b"] })
    expect(result.member("memberships", 0, "permissions")).toEqual(["team:read", "team:write"])
    const membership_id = result.member("memberships", 0, "id")
    expect(events).toEqual([
      { event_type: "user.created", user_id: result.id },
      { event_type: "membership.created", user_id: result.id, org_id: org.id, membership_id }
    ])
    expect((await realm.seen.all()).at(-1)?.["request"]).toEqual({ ip: "192.0.2.7", client: null })
  })

  test("form values are parsed as booleans, numbers and nulls", async () => {
    const realm = await realmOf()
    const form =
      "realm[require_unique_emails]=false&realm[session_minutes]=30&realm[reference]=&realm[jwt_fields][]=custom"
    const reply = await send(realm, "PUT", `/v1/realms/${realm.id}`, form)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      require_unique_emails: false,
      session_minutes: 30,
      reference: null,
      jwt_fields: ["custom"]
    })
  })

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON;charset=UTF-8",
    "application/json ; profile=x"
  ])("%s is parsed as JSON", async (type) => {
    const reply = await send(await realmOf(), "POST", "/v2/orgs", '{"org": {"name": "Ünï"}}', type)
    expect([reply.status, reply.member("name")]).toEqual([201, "Ünï"])
  })

  test.each([FORM, `${FORM}; charset=utf-8`, FORM.toUpperCase()])("%s is parsed as a form", async (type) => {
    const reply = await send(await realmOf(), "POST", "/v2/orgs", "org[name]=%C3%9Cn%C3%AF&org%5Breference%5D=R", type)
    expect([reply.status, reply.member("name"), reply.member("reference")]).toEqual([201, "Ünï", "R"])
  })

  test.each([
    "text/plain",
    "text/json",
    "application/jsonp",
    "multipart/form-data",
    "x",
    ","
  ])("%s returns 415", async (type) => {
    const reply = await send(await untouchedRealm(), "POST", "/v2/orgs", '{"org": {"name": "Acme"}}', type)
    expect([reply.status, reply.errors]).toEqual([415, ["The request body must be JSON or form-encoded."]])
  })

  test("a body without a Content-Type returns 415 with an explanation", async () => {
    const realm = await realmOf()
    const sentence =
      "The request has a body but no Content-Type header. Send application/json or application/x-www-form-urlencoded."
    for (const body of ['{"org": {"name": "Acme"}}', "org[name]=Acme", "nonsense"]) {
      const { result, events } = await realm.seen.during(() => send(realm, "POST", "/v2/orgs", body, ""))
      expect([result.status, result.errors, events]).toEqual([415, [sentence], []])
    }
  })

  test("JSON that is declared as a form, as curl does by default, returns 400 with an explanation", async () => {
    const realm = await realmOf()
    const sentence = `The request body is JSON, but its Content-Type is ${FORM}. Send Content-Type: application/json.`
    for (const [path, body] of [
      ["/v2/orgs", '{"org": {"name": "Acme"}}'],
      [`/v2/realms/${realm.id}/reset`, ' \n{"users": false}'],
      ["/v1/orgs", "{}"]
    ] as const) {
      const { result, events } = await realm.seen.during(() => send(realm, "POST", path, body))
      expect([path, result.status, result.errors, events]).toEqual([path, 400, [sentence], []])
    }
    const form = await send(realm, "POST", "/v2/orgs", "{=x&org[name]={}")
    expect([form.status, form.member("name")]).toEqual([201, "{}"])
  })

  test("a form that is nested too deeply or has too many parameters returns 400", async () => {
    const realm = await realmOf()
    for (const form of [
      `org[name]=A&org${"[x]".repeat(20)}=1`,
      `org[custom]${"[x]".repeat(20)}=1`,
      `${Array.from({ length: 1_001 }, (_, n) => `org[custom][k${n}]=1`).join("&")}&org[name]=Late`,
      `org[name]=A&${Array.from({ length: 1_001 }, () => "user_ids[]=x").join("&")}`
    ]) {
      expect((await send(realm, "POST", "/v2/orgs", form)).status).toBe(400)
    }
  })

  test("form field names can't modify a prototype", async () => {
    const realm = await realmOf()
    const names = ["__proto__[name]=Evil", "constructor[prototype][name]=Evil", "org[__proto__][name]=Evil"]
    for (const form of names) expect((await send(realm, "POST", "/v2/orgs", form)).status).toBeGreaterThanOrEqual(400)
    expect(Reflect.get({}, "name")).toBe(undefined)
  })
})

describe("an empty body", () => {
  test("may have any Content-Type in a DELETE", async () => {
    const realm = await realmOf()
    for (const type of ["text/plain", "application/octet-stream", "application/json", FORM]) {
      const { id } = await realm.org()
      const reply = await send(realm, "DELETE", `/v2/orgs/${id}?force=true`, "", type)
      expect([type, reply.status]).toEqual([type, 202])
    }
  })

  const wrapped = operations.filter(({ wrapper }) => wrapper !== undefined)

  test.each(wrapped)("returns 400 for $name, which requires a wrapper", async (operation) => {
    const realm = await untouchedRealm()
    const path = pathOf(operation, () => "x")
    const sentence = `The request body must contain an object named ${operation.wrapper}.`
    const expectRejected = async (body: string, contentType?: string) => {
      const reply = await send(realm, operation.method, path, body, contentType)
      expect([body, reply.status, reply.errors]).toEqual([body, 400, [sentence]])
    }
    for (const body of ["", " \n", "{}", `{"${operation.wrapper}": null}`, `{"${operation.wrapper}": [1]}`]) {
      await expectRejected(body, "application/json")
    }
    await expectRejected("")
    await expectRejected(`${operation.wrapper}=text`)
  })

  test.each(operations.filter(({ method }) => method === "DELETE"))("is accepted by $name", async (operation) => {
    const realm = await realmOf()
    const id = await resourceFor(operation, realm)
    const reply = await send(
      realm,
      "DELETE",
      pathOf(operation, () => id),
      "",
      "application/json"
    )
    expect(reply.status).toBeLessThan(300)
  })
})

test.each([
  "?force=true",
  '{"force": true}',
  '{"force": "true"}',
  "force=1"
])("DELETE accepts its parameters in the query or the body: %s", async (how) => {
  const realm = await realmOf()
  const { id } = await realm.org()
  const path = `/v2/orgs/${id}`
  const type = how.startsWith("{") ? "application/json" : FORM
  const { result, events } = await realm.seen.during(() =>
    how.startsWith("?") ? realm.delete(path + how) : send(realm, "DELETE", path, how, type)
  )
  expect([result.status, events]).toEqual([202, [{ event_type: "org.deleted", org_id: id }]])
})

describe("a list in the query", () => {
  test.each([
    "event_type=org.created,user.created",
    "event_type=org.created&event_type=user.created",
    "event_type[]=org.created&event_type[]=user.created",
    "event_type%5B%5D=org.created&event_type=user.created"
  ])("may be written as %s", async (query) => {
    const realm = await realmOf()
    await realm.org()
    await realm.user()
    const types = (await realm.get(`/v2/events?${query}`)).items.map(({ event_type }) => event_type)
    expect(types).toEqual(["org.created", "user.created"])
  })

  test("may have a single item", async () => {
    const realm = await realmOf()
    await realm.org({ custom: { a: 1 } })
    for (const query of ["expand=custom", "expand[]=custom", "expand=custom,custom"]) {
      expect((await realm.get(`/v2/orgs?${query}`)).items[0]?.["custom"]).toEqual({ a: 1 })
    }
  })
})

const scalars = operations
  .filter(({ method }) => method === "GET")
  .flatMap(({ query, name, template, params }) =>
    query
      .filter(
        (parameter) => !["expand", "event_type", "changed", "realm_id"].includes(parameter) && params.length === 0
      )
      .map((parameter) => ({ name, parameter, template }))
  )

test.each(scalars)("SEC-79 (CVE-2026-9689): rejects a repeated $parameter of $name", async ({
  template,
  parameter
}) => {
  const reply = await (await untouchedRealm()).get(`${template}?${parameter}=1&${parameter}=2`)
  const fields = [0, 1, 2].map((n) => reply.member("error_details", n, "field"))
  expect([reply.status, fields.includes(parameter)]).toEqual([422, true])
})

const readOnly = {
  id: "usr_mine",
  object: "admin",
  created_at: 1,
  new_record: false,
  membership_count: 99,
  last_login_at: 1,
  nonsense: { deep: [1] },
  constructor: { prototype: { state: "inactive" } },
  toString: "x",
  key: "sk_mine",
  last_used_at: 1,
  token: "mine",
  jwt_key: "mine",
  jwt_secret: "mine"
}

/** Written as text, because an object literal would drop the member. */
const withProto = (body: unknown) =>
  JSON.stringify(body).replace(/^(\{"\w+":\{)/, '$1"__proto__":{"state":"inactive","name":"Evil"},')

const creations = operations.filter(({ wrapper, operation }) => wrapper !== undefined && operation === "create")

const updates = operations.filter(({ operation }) => operation === "update")

describe("Unknown and read-only members are ignored (SEC-27)", () => {
  test.each(
    creations.filter(({ isContractResource: isContractNoun }) => isContractNoun)
  )("$name", async (operation) => {
    const realm = await realmOf()
    const [plain, second] = [await bodyOf(operation, realm), await bodyOf(operation, realm)]
    const wrapper = operation.wrapper ?? ""
    const expected = await realm.post(operation.template, plain)
    const members = { ...readOnly, ...Object(second)[wrapper] }
    const reply = await realm.call("POST", operation.template, { body: withProto({ [wrapper]: members }) })
    expect([expected.status, reply.status]).toEqual([201, 201])
    expect(reply.headers.get("x-service-ignored")).toContain(`${wrapper}.nonsense`)
    expect(Object.keys(Object(reply.body)).sort()).toEqual(Object.keys(Object(expected.body)).sort())
    for (const member of ["object", "state", "created_at", "new_record", "membership_count", "last_login_at"]) {
      expect([member, reply.member(member)]).toEqual([member, expected.member(member)])
    }
    expect(reply.id).not.toBe(readOnly.id)
    expect(reply.text).not.toMatch(/mine|Evil|nonsense/)
  })

  test.each(updates.filter(({ isContractResource: isContractNoun }) => isContractNoun))("$name", async (operation) => {
    const realm = await realmOf()
    const [id, foreign] = [await resourceFor(operation, realm), await realmOf()]
    const others = { ...readOnly, realm_id: foreign.id, user_id: "usr_mine", org_id: "org_mine", memberships: [] }
    const path = pathOf(operation, () => id)
    const before = await realm.get(path)
    const { result, events } = await realm.seen.during(() =>
      realm.call("PUT", path, { body: withProto({ [operation.wrapper ?? ""]: others }) })
    )
    expect([result.status, events]).toEqual([200, []])
    expect((await realm.get(path)).body).toEqual(before.body)
  })
})
