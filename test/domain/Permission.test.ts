import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { parsePermissions, permissionsProblem } from "#domain/Permission"
import { matching, UnicodeText } from "../support/arbitraries.ts"

const Tag = matching(/^[a-zA-Z0-9*:;._-]{1,62}$/).check(
  Schema.makeFilter((text) => !text.toLowerCase().startsWith("ar:"))
)

describe("permissions", () => {
  it.prop(
    "count once when repeated",
    [Schema.Array(Tag)],
    ([tags]) => {
      expect(parsePermissions([...tags, ...tags])).toEqual([...new Set(tags)])
    },
    { arbitrary: { size: 30 } }
  )

  it.prop(
    "are accepted up to 20 if they match the pattern",
    [Schema.Array(Tag).check(Schema.isUnique(), Schema.isMaxLength(40))],
    ([tags]) => {
      expect(permissionsProblem(tags)).toBe(tags.length > 20 ? "too_many_permissions" : undefined)
    },
    { arbitrary: { size: 40 } }
  )

  const wrong = Arbitrary.filter(
    Arbitrary.schema(UnicodeText.check(Schema.isBetweenLength(1, 62))),
    (text) => !/^[a-z0-9*:;._-]+$/i.test(text)
  )

  it.prop(
    "are rejected with any other character",
    [wrong],
    ([text]) => {
      expect(permissionsProblem(["ok", text])).toBe("permission_form")
    },
    { arbitrary: { size: 62 } }
  )

  it("have at most 62 characters", () => {
    expect(permissionsProblem(["x".repeat(62)])).toBeUndefined()
    expect(permissionsProblem(["x".repeat(63)])).toBe("permission_too_long")
  })

  it("are rejected with characters that fold to ASCII letters: Kelvin sign, long s, dotless i", () => {
    for (const text of ["\u212a", "\u017f", "\u0131", "a\n", "", " "]) {
      expect(permissionsProblem([text])).toBe("permission_form")
    }
  })

  it("are accepted if they only resemble a reserved permission", () => {
    expect(permissionsProblem(["ar", "arable", "x:ar:owner"])).toBeUndefined()
    expect(permissionsProblem(["AR:owner"])).toBe("permission_reserved")
  })

  it("may be ar:owner and ar:admin", () => {
    expect(permissionsProblem(["ar:owner", "ar:admin"])).toBeUndefined()
  })

  it.prop(
    "are rejected with the prefix ar: in any case, except ar:owner and ar:admin",
    [Schema.Literals(["ar:", "AR:", "Ar:"]), matching(/^(?:[a-z]{0,10}|owner|admin)$/)],
    ([prefix, rest]) => {
      const text = prefix + rest
      const known = text === "ar:owner" || text === "ar:admin"
      expect(permissionsProblem([text])).toBe(known ? undefined : "permission_reserved")
    }
  )
})
