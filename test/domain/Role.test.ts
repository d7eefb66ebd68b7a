import { describe, expect, test } from "vitest"
import { formerOwnerPermissions, mayGrant, newOwnerPermissions, roleOf } from "#domain/Role"

const editor = { name: "Editor", permissions: ["a", "b"] }
const admin = { name: "Admin", permissions: ["ar:admin", "a"] }
const having = (...permissions: ReadonlyArray<string>) => ({ permissions })

describe("C210: a member's role", () => {
  test("has exactly the member's permissions, in any order", () => {
    const roleFor = (...permissions: ReadonlyArray<string>) => roleOf([editor, admin], having(...permissions))
    expect([roleFor("b", "a"), roleFor("a"), roleFor("a", "b", "c"), roleFor()]).toEqual([
      editor,
      undefined,
      undefined,
      undefined
    ])
  })
})

describe("C211: handing over an org", () => {
  test("gives the former owner the first admin role, or ar:admin if the realm has no admin role", () => {
    expect([
      formerOwnerPermissions([editor, admin], having("ar:owner", "z")),
      formerOwnerPermissions([editor], having("ar:owner", "z")),
      formerOwnerPermissions([], having("ar:owner", "ar:admin"))
    ]).toEqual([admin.permissions, ["z", "ar:admin"], ["ar:admin"]])
  })

  test("preserves the new owner's permissions", () => {
    expect(newOwnerPermissions(having("ar:admin", "a"))).toEqual(["ar:owner", "ar:admin", "a"])
  })
})

test.each([
  [["ar:owner"], true, true],
  [["ar:admin", "a", "b"], true, true],
  [["ar:admin", "a"], false, true],
  [["ar:admin"], false, false],
  [["a", "b"], false, false]
])("SEC-209: %j allows granting the editor role: %s, the admin role: %s", (permissions, editors, admins) => {
  expect([editor, admin].map((role) => mayGrant({ permissions }, role))).toEqual([editors, admins])
})
