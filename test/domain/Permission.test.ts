import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parsePermissions, permissionsProblem } from "#domain/Permission"

const tag = fc.stringMatching(/^[a-zA-Z0-9*:;._-]{1,62}$/).filter((text) => !text.toLowerCase().startsWith("ar:"))

describe("permissions", () => {
  test("repeats count once", () => {
    fc.assert(
      fc.property(fc.array(tag), (tags) => {
        expect(parsePermissions([...tags, ...tags])).toEqual([...new Set(tags)])
      })
    )
  })

  test("tags of the pattern are accepted up to 20, and no more", () => {
    fc.assert(
      fc.property(fc.uniqueArray(tag, { maxLength: 40 }), (tags) => {
        expect(permissionsProblem(tags)).toBe(tags.length > 20 ? "too_many_permissions" : undefined)
      })
    )
  })

  test("any other character in a tag is refused", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 62, unit: "binary" }), (text) => {
        if (!/^[a-z0-9*:;._-]+$/i.test(text)) expect(permissionsProblem(["ok", text])).toBe("permission_form")
      })
    )
  })

  test("each tag has at most 62 characters", () => {
    expect(permissionsProblem(["x".repeat(62)])).toBeUndefined()
    expect(permissionsProblem(["x".repeat(63)])).toBe("permission_too_long")
  })

  test("letters that only case makes look alike are other characters: the Kelvin sign, the long s, the dotless i", () => {
    for (const text of ["\u212a", "\u017f", "\u0131", "a\n", "", " "]) {
      expect(permissionsProblem([text])).toBe("permission_form")
    }
  })

  test("what only resembles a reserved tag is allowed", () => {
    expect(permissionsProblem(["ar", "arable", "x:ar:owner"])).toBeUndefined()
    expect(permissionsProblem(["AR:owner"])).toBe("permission_reserved")
  })

  test("ar: is reserved, in whatever case, but for ar:owner and ar:admin", () => {
    expect(permissionsProblem(["ar:owner", "ar:admin"])).toBeUndefined()
    fc.assert(
      fc.property(fc.constantFrom("ar:", "AR:", "Ar:"), fc.stringMatching(/^[a-z]{0,10}$/), (prefix, rest) => {
        const text = prefix + rest
        const known = text === "ar:owner" || text === "ar:admin"
        expect(permissionsProblem([text])).toBe(known ? undefined : "permission_reserved")
      })
    )
  })
})
