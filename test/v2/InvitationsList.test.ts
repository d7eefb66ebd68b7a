import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { ids, notThere, rejectionOf, unknownId } from "../support/invitations.ts"
import { newRealm } from "../support/sallyport.ts"

/** Invitations of every type, half of them sent, and several with the same email. */
const several = async (given: GivenRealm) => {
  const [org, other] = [await given.org(), await given.org()]
  const created = {
    zoe: await given.invitation({ org_id: org.id, email: "zoe@example.test" }),
    amy: await given.invitation({ org_id: org.id, email: "amy@example.test" }),
    zoeThere: await given.invitation({ org_id: other.id, email: "zoe@example.test" }),
    bob: await given.invitation({ invitation_type: "preverify", email: "bob@example.test" }),
    amyReferred: await given.invitation({ email: "amy@example.test", org_id: org.id, invitation_type: "referral" }),
    cat: await given.invitation({ invitation_type: "request", email: "cat@example.test" })
  }
  for (const { id } of [created.amy, created.bob, created.amyReferred])
    await given.post(`/v2/invitations/${id}/invite`, {})
  const names = (found: ReadonlyArray<unknown>) =>
    found.map((id) => Object.entries(created).find(([, one]) => one.id === id)?.[0])
  return { org, created, names }
}

describe("GET /v2/invitations", () => {
  test("returns the same objects as single reads, and no invitations of another realm", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const { created } = await several(given)
    await other.invitation()
    const reply = await given.get("/v2/invitations")
    const read = await Promise.all(Object.values(created).map(async ({ id }) => given.get(`/v2/invitations/${id}`)))
    expect([reply.status, reply.body]).toEqual([200, { collection: read.map(({ body }) => body), more_results: false }])
    expect(reply.items.map(({ org }) => org !== undefined)).toEqual([true, true, true, false, false, false])
  })

  test("filters by invitation_type, org_id, state and email, separately or combined", async () => {
    const given = await newRealm()
    const { org, names } = await several(given)
    for (const [query, expected] of [
      ["invitation_type=org", ["zoe", "amy", "zoeThere"]],
      ["invitation_type=preverify", ["bob"]],
      ["invitation_type=referral", ["amyReferred"]],
      ["invitation_type=request", ["cat"]],
      [`org_id=${org.id}`, ["zoe", "amy", "amyReferred"]],
      [`org_id=${unknownId(org.id)}`, []],
      ["org_id=x", []],
      ["state=pending", ["zoe", "zoeThere", "cat"]],
      ["state=invited", ["amy", "bob", "amyReferred"]],
      ["email=amy@example.test", ["amy", "amyReferred"]],
      ["email=%20ZOE@Example.Test", ["zoe", "zoeThere"]],
      ["email=zoe@example", []],
      ["email=nonsense", []],
      ["email=", []],
      [`org_id=${org.id}&state=invited`, ["amy", "amyReferred"]],
      [`org_id=${org.id}&state=invited&invitation_type=org`, ["amy"]],
      [`org_id=${org.id}&state=invited&invitation_type=org&email=amy@example.test`, ["amy"]],
      [`org_id=${org.id}&state=invited&invitation_type=org&email=zoe@example.test`, []]
    ] as const) {
      expect(names(ids(await given.get(`/v2/invitations?${query}`))), query).toEqual(expected)
    }
  })

  test("sorts by id (the default) or email in both directions, and pages with each filter", async () => {
    const given = await newRealm()
    const { org, created, names } = await several(given)
    const byId = Object.keys(created)
    const byEmail = ["amy", "amyReferred", "bob", "cat", "zoe", "zoeThere"]
    const orgNames = new Set(["zoe", "amy", "amyReferred"])
    const sent = new Set(["amy", "bob", "amyReferred"])
    for (const [sort, order] of [
      ["", byId],
      ["&sort=id", byId],
      ["&sort=email", byEmail]
    ] as const) {
      for (const [filter, all] of [
        ["", order],
        [`&org_id=${org.id}`, order.filter((name) => orgNames.has(name))],
        ["&state=invited", order.filter((name) => sent.has(name))],
        ["&invitation_type=org", order.filter((name) => ["zoe", "amy", "zoeThere"].includes(name))],
        ["&email=amy@example.test", ["amy", "amyReferred"]]
      ] as const) {
        for (const direction of ["asc", "desc"]) {
          const seen: Array<unknown> = []
          for (let after = "", more = true; more; after = `&after=${String(seen.at(-1))}`) {
            const page = await given.get(`/v2/invitations?max_results=2&direction=${direction}${sort}${filter}${after}`)
            expect(page.status).toBe(200)
            seen.push(...ids(page))
            more = page.member("more_results") === true
          }
          expect(names(seen), `${sort}${filter} ${direction}`).toEqual(direction === "asc" ? all : all.toReversed())
        }
      }
    }
  })

  test("returns 422 for max_results outside 1 to 1000 and for unknown parameter values", async () => {
    const given = await newRealm()
    for (const [field, value] of [
      ["max_results", "0"],
      ["max_results", "1001"],
      ["sort", "created_at"],
      ["direction", "up"],
      ["invitation_type", "friend"],
      ["invitation_type", ""],
      ["state", "accepted"],
      ["state", "expired"]
    ]) {
      const reply = await given.get(`/v2/invitations?${field}=${value}`)
      expect([reply.status, reply.member("error_details", 0, "field")], value).toEqual([422, field])
    }
    expect((await given.get("/v2/invitations?max_results=1000")).status).toBe(200)
  })

  test("returns 404 for a malformed `after`, and for an unknown `after` when sorted by email", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const [created, foreign] = [await given.invitation(), await other.invitation()]
    await given.delete(`/v2/invitations/${created.id}`)
    for (const after of [created.id, unknownId(created.id), foreign.id, "nvt_x", "x"]) {
      for (const sort of after.length > 10 ? ["email"] : ["id", "email"]) {
        expect(rejectionOf(await given.get(`/v2/invitations?sort=${sort}&after=${after}`))).toEqual(notThere)
      }
    }
  })
})
