import { describe, expect, test } from "vitest"
import { formerOwnerPermissions, mayGrant, newOwnerPermissions, roleOf } from "#domain/Role"

const editor = { name: "Editor", permissions: ["a", "b"] }
const admin = { name: "Admin", permissions: ["ar:admin", "a"] }
const having = (...permissions: ReadonlyArray<string>) => ({ permissions })

describe("C210: a member's role", () => {
  test("is the one with just their permissions, in any order", () => {
    const roleFor = (...permissions: ReadonlyArray<string>) => roleOf([editor, admin], having(...permissions))
    expect([roleFor("b", "a"), roleFor("a"), roleFor("a", "b", "c"), roleFor()]).toEqual([
      editor,
      undefined,
      undefined,
      undefined
    ])
  })
})

describe("C211: who hands over an org", () => {
  test("gets the first role of admins; without one, ar:admin in place of ar:owner", () => {
    expect([
      formerOwnerPermissions([editor, admin], having("ar:owner", "z")),
      formerOwnerPermissions([editor], having("ar:owner", "z")),
      formerOwnerPermissions([], having("ar:owner", "ar:admin"))
    ]).toEqual([admin.permissions, ["z", "ar:admin"], ["ar:admin"]])
  })

  test("makes somebody an owner who keeps what they had", () => {
    expect(newOwnerPermissions(having("ar:admin", "a"))).toEqual(["ar:owner", "ar:admin", "a"])
  })
})

test.each([
  [["ar:owner"], true, true],
  [["ar:admin", "a", "b"], true, true],
  [["ar:admin", "a"], false, true],
  [["ar:admin"], false, false],
  [["a", "b"], false, false]
])("SEC-209: who has %j may grant an editor: %s, an admin: %s", (permissions, editors, admins) => {
  expect([editor, admin].map((role) => mayGrant({ permissions }, role))).toEqual([editors, admins])
})
