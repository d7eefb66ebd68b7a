import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { lists } from "../support/operations.ts"
import { filterOf, listPath } from "../support/resources.ts"
import { service } from "../support/sallyport.ts"

let shared: Promise<GivenRealm> | undefined

/** The realm shared by all tests that leave it unchanged. */
const realmOf = () => (shared ??= service().then(({ given }) => given.realm()))

describe("C11: a malformed `after` returns 404 with the field `after`", () => {
  test.each(lists)("$name", async (operation) => {
    const realm = await realmOf()
    const { given } = await service()
    const caller = operation.resource === "realms" ? given.root : realm
    const path = await listPath(operation, realm)
    const reply = await caller.get(`${path}?${await filterOf(operation, realm)}after=nope`)
    const message = reply.string("errors", 0)
    expect(message).toMatch(/^[A-Z][A-Za-z ]+ could not be found\.$/)
    expect(message).not.toContain("After")
    expect([reply.status, reply.member("error_details")]).toEqual([
      404,
      [{ field: "after", code: "not_found", message, params: { resource: expect.any(String) } }]
    ])
  })

  test("while any other id that is not found is reported under its own field", async () => {
    const realm = await realmOf()
    const { root } = (await service()).given
    const elsewhere = await root.get("/v2/users?realm_id=rlm_nope")
    expect([elsewhere.status, elsewhere.member("error_details", 0, "field")]).toEqual([404, "realm_id"])
    const single = await realm.get("/v2/users/usr_nope?expand=memberships")
    expect([single.status, single.member("error_details", 0, "field")]).toEqual([404, "user"])
  })

  test("is reported in the caller's language", async () => {
    const realm = await realmOf()
    const reply = await realm.call("GET", "/v2/orgs?after=nope", { headers: { "accept-language": "es" } })
    expect([reply.status, reply.errors]).toEqual([404, ["Organización: no se ha encontrado."]])
  })
})

/** The filters that accept any text. Enumerations, times and lists of words have their own rules. */
const texts = /^(email|reference|username|actor_id|\w+_id)$/

describe("C11: a blank filter returns an empty list", () => {
  const filtered = lists.flatMap((operation) =>
    operation.query
      .filter((parameter) => texts.test(parameter) && parameter !== "realm_id")
      .map((parameter) => ({ name: operation.name, operation, parameter }))
  )

  test.each(filtered)("$parameter of $name", async ({ operation, parameter }) => {
    const realm = await realmOf()
    const filter = parameter === "user_id" ? "" : await filterOf(operation, realm)
    const reply = await realm.get(`${operation.template}?${filter}${parameter}=`)
    expect([reply.status, reply.items]).toEqual([200, []])
  })

  test("but is ignored if the filter takes a list of words", async () => {
    const realm = await realmOf()
    const { body } = await realm.get("/v2/events?max_results=2")
    for (const query of ["event_type=", "changed=", "event_type=&changed=,"]) {
      expect((await realm.get(`/v2/events?max_results=2&${query}`)).body).toEqual(body)
    }
  })
})

describe("C11: single reads in /v2 accept an expand value for members that they always include", () => {
  test("expand=custom and credentials for a user, and custom for an org", async () => {
    const realm = await realmOf()
    const [user, org] = [await realm.user({ custom: { a: 1 } }), await realm.org({ custom: { b: 2 } })]
    for (const [path, words] of [
      [`/v2/users/${user.id}`, ["custom", "credentials", "custom,credentials"]],
      [`/v2/orgs/${org.id}`, ["custom"]]
    ] as const) {
      const plain = await realm.get(path)
      for (const word of words) {
        const reply = await realm.get(`${path}?expand=${word}`)
        expect([reply.status, reply.body]).toEqual([200, plain.body])
      }
      const expanded = await realm.get(`${path}?expand=memberships`)
      const both = await realm.get(`${path}?expand=memberships&expand=custom`)
      expect([both.status, both.body]).toEqual([200, expanded.body])
      const wrong = await realm.get(`${path}?expand=custom,nonsense`)
      expect([wrong.status, wrong.member("error_details", 0, "field")]).toEqual([422, "expand"])
    }
  })

  test("expand=custom for a realm, and notifications for an event", async () => {
    const realm = await realmOf()
    const [event] = (await realm.get("/v2/events?max_results=1")).items
    for (const [path, word] of [
      [`/v2/realms/${realm.id}`, "custom"],
      [`/v2/events/${String(event?.["id"])}`, "notifications"]
    ] as const) {
      const plain = await realm.get(path)
      const reply = await realm.get(`${path}?expand=${word}`)
      expect([reply.status, reply.body]).toEqual([200, plain.body])
      expect((await realm.get(`${path}?expand=nonsense`)).status).toBe(422)
    }
  })

  test("unlike /v1, which ignores expand in operations without expansions", async () => {
    const realm = await realmOf()
    const reply = await realm.get(`/v1/realms/${realm.id}?expand=nonsense`)
    expect([reply.status, reply.headers.get("x-service-ignored")]).toEqual([200, "expand"])
  })
})
