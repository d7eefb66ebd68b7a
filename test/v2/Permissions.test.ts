import { describe, expect, test } from "vitest"
import { service } from "../support/sallyport.ts"

describe("permissions of a membership", () => {
  const tags = (count: number) => Array.from({ length: count }, (_, n) => `tag-${n}`)

  test("are returned as a list, and accepted as a list or space-separated text", async () => {
    const given = await (await service()).given.realm()
    const [user, org] = [await given.user(), await given.org()]
    const { id } = await given.membership(user.id, org.id)
    for (const [sent, kept] of [
      [
        ["b", "a"],
        ["b", "a"]
      ],
      ["x:* y;z", ["x:*", "y;z"]],
      ["  a   b\ta ", ["a", "b"]],
      [[...tags(20), "tag-3"], tags(20)],
      [tags(20).join(" "), tags(20)],
      [
        ["x".repeat(62), "A.b_c-9"],
        ["x".repeat(62), "A.b_c-9"]
      ],
      ["ar:owner ar:admin", ["ar:owner", "ar:admin"]],
      ["", []],
      [["z"], ["z"]],
      [null, []]
    ] as const) {
      const reply = await given.put(`/v2/memberships/${id}`, { membership: { permissions: sent } })
      expect([reply.status, reply.member("permissions")]).toEqual([200, kept])
    }
  })

  test("must be at most 20 valid tags of at most 62 characters, without the prefix ar:", async () => {
    const given = await (await service()).given.realm()
    const [user, org] = [await given.user(), await given.org()]
    const { id } = await given.membership(user.id, org.id, { permissions: "kept" })
    const fresh = { user_id: user.id, org_id: (await given.org()).id }
    const events = await given.seen.caused(async () => {
      for (const permissions of [
        ...["a b", "", "ä", "a/b", "a\n", "a,b", "ar:root", "ar:", "AR:owner", "x".repeat(63)].map((tag) => [tag]),
        "a/b",
        "ok ar:x",
        tags(21),
        tags(21).join(" "),
        7,
        [7],
        {}
      ]) {
        const updated = await given.put(`/v2/memberships/${id}`, { membership: { permissions } })
        const created = await given.post("/v2/memberships", { membership: { ...fresh, permissions } })
        expect([updated.status, created.status], String(permissions)).toEqual([422, 422])
        expect(updated.errors).toEqual([expect.stringMatching(/^Permissions (may|must|can't)/)])
      }
    })
    expect(events).toEqual([])
    expect((await given.get(`/v2/memberships/${id}`)).member("permissions")).toEqual(["kept"])
  })
})
