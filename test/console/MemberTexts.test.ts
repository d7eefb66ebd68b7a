import { expect, test } from "vitest"
import { changeableMembers } from "#domain/ChangeableMembers"
import { memberWords } from "../../src/admin/timeline/MemberTexts.ts"

test("names every member that an event can list as changed, in words of each language", () => {
  const members = changeableMembers()
  const english = members.map((member) => memberWords("en", member))
  expect(english.filter((words) => /_|\b(?:url|uri|id|jwt|api)\b/.test(words))).toEqual([])
  // A member without a Spanish text would be shown in English.
  const words = new Set(english)
  const same = members.filter((member) => words.has(memberWords("es", member)))
  expect(same.toSorted()).toEqual(["allow_jsonp", "destination", "roles"])
  // Different members have different words. `jwt_fields` is the name of `jwt_scopes` in v1.
  for (const language of ["en", "es"] as const) {
    const texts = members.filter((member) => member !== "jwt_fields").map((member) => memberWords(language, member))
    expect(texts.filter((text, place) => texts.indexOf(text) !== place)).toEqual([])
  }
})
