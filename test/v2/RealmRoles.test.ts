import { describe, expect, test } from "vitest"
import { service } from "../support/sallyport.ts"

const manyRoles = (count: number) =>
  [...Array(count).keys()].map((n) => ({ name: `Role ${n}`, permissions: [`n:${n}`] }))

describe("C210: the roles of a realm", () => {
  test("are replaced as a whole, with names trimmed and duplicate tags removed (realm.updated)", async () => {
    const realm = await (await service()).given.realm()
    const set = (roles: unknown) => realm.put(`/v2/realms/${realm.id}`, { realm: { roles } })
    const reply = await set([
      { name: " Editor ", permissions: "notes:read notes:write notes:read" },
      { name: "Guest", permissions: [] }
    ])
    const roles = [
      { name: "Editor", permissions: ["notes:read", "notes:write"] },
      { name: "Guest", permissions: [] }
    ]
    expect([reply.status, reply.member("roles")]).toEqual([200, roles])
    expect((await realm.seen.all()).at(-1)).toMatchObject({ event_type: "realm.updated", changed: ["roles"] })
    expect((await realm.get(`/v1/realms/${realm.id}`)).member("roles")).toEqual(roles)
    expect((await set(manyRoles(50))).status).toBe(200)
    expect((await set([])).member("roles")).toEqual([])
  })

  test.each([
    [{ Editor: ["a"] }, "roles", "Roles must be a list."],
    [["Editor"], "roles", "Roles must be an object."],
    [[{ name: " ", permissions: [] }], "name", "Name can't be blank."],
    [[{ name: "r".repeat(61), permissions: [] }], "name", "maximum is 60 characters"],
    [[{ name: "Boss", permissions: ["ar:owner"] }], "roles[0].permissions", "can't include ar:owner."],
    [[{ name: "Odd", permissions: ["a b"] }], "roles[0].permissions", "may contain only letters"],
    [[{ name: "Odd", permissions: ["ar:other"] }], "roles[0].permissions", "can't start with ar:"],
    [manyRoles(51), "roles", "Roles may contain at most 50 items."],
    [[...manyRoles(1), { name: "role 0", permissions: ["b"] }], "roles", "Roles must have different names."],
    [
      [
        { name: "One", permissions: ["a", "b"] },
        { name: "Two", permissions: ["b", "a"] }
      ],
      "roles",
      "Roles must have different permissions."
    ]
  ])("are left unchanged by an update with invalid roles: %j", async (roles, field, sentence) => {
    const realm = await (await service()).given.realm()
    const { result, events } = await realm.seen.during(() => realm.put(`/v2/realms/${realm.id}`, { realm: { roles } }))
    expect([result.status, result.member("error_details", 0, "field"), result.errors, events]).toEqual([
      422,
      field,
      [expect.stringContaining(sentence)],
      []
    ])
  })
})
