import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { operations } from "../support/operations.ts"
import { service } from "../support/sallyport.ts"

let shared: Promise<GivenRealm> | undefined

/** The realm shared by all tests that leave it unchanged. */
const realmOf = () => (shared ??= service().then(({ given }) => given.realm()))

/** The members of an operation that belong only inside its wrapper. */
const insideOnly = operations.flatMap(
  ({ name, method, template, wrapper, members, top, version, isContractResource: isContractNoun }) =>
    wrapper === undefined
      ? []
      : [
          {
            name,
            method,
            template,
            wrapper,
            version,
            isContractNoun,
            inside: members.filter((m) => m !== "realm_id" && !top.includes(m))
          }
        ]
)

describe("C68: the response names the correct place for a misplaced member", () => {
  test.each(insideOnly)("for all members of $name sent without the wrapper (400)", async (operation) => {
    const { method, template, wrapper, inside } = operation
    const realm = await realmOf()
    const body = { ...Object.fromEntries(inside.map((member) => [member, "x"])), nonsense: 1 }
    const reply = await realm.call(method, template, { body })
    const messages = inside.map((member) => `Move ${member} inside ${wrapper}, as in {"${wrapper}": {"${member}": …}}.`)
    expect([reply.status, reply.errors]).toEqual([
      400,
      [`The request body must contain an object named ${wrapper}.`, ...messages.slice(0, 20)]
    ])
  })

  test.each(
    insideOnly.filter(({ version }) => version === "v2")
  )("for all members of $name sent outside the wrapper (422)", async ({
    method,
    template,
    wrapper,
    inside,
    isContractNoun
  }) => {
    const realm = await realmOf()
    const body = { [wrapper]: {}, ...Object.fromEntries(inside.map((member) => [member, "x"])), nonsense: 1 }
    const reply = await realm.call(method, template, { body })
    expect(reply.status).toBe(422)
    const misplaced = inside.map((member) => ({
      field: member,
      code: "belongs_inside",
      message: `Move ${member} inside ${wrapper}, as in {"${wrapper}": {"${member}": …}}.`,
      params: { member, wrapper }
    }))
    const unknown = expect.objectContaining({ field: "nonsense", code: "unknown_member" })
    expect(reply.member("error_details")).toEqual([...misplaced, ...(isContractNoun ? [] : [unknown])].slice(0, 20))
  })

  test("and rejects the request in /v2, but only lists the member in X-Service-Ignored in /v1", async () => {
    const realm = await realmOf()
    const body = { org: { name: "Acme" }, reference: "R" }
    const { result, events } = await realm.seen.during(() => realm.post("/v2/orgs", body))
    expect([result.status, events]).toEqual([422, []])
    const ignored = await realm.post("/v1/orgs", body)
    expect([ignored.status, ignored.member("reference")]).toEqual([201, null])
    expect(ignored.headers.get("x-service-ignored")).toBe("reference")
  })

  test("for members in a wrapper that the operation does not accept (422)", async () => {
    const realm = await realmOf()
    const { id } = await realm.user()
    const { result, events } = await realm.seen.during(() =>
      realm.post(`/v2/realms/${realm.id}/reset`, { realm: { users: false, orgs: false, request: {} } })
    )
    const messages = ["users", "orgs", "request"].map(
      (member) => `Move ${member} out of realm, to the top of the request body.`
    )
    expect([result.status, result.errors, events]).toEqual([422, messages, []])
    expect((await realm.get(`/v2/users/${id}`)).status).toBe(200)
  })
})
