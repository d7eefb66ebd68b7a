import { describe, expect, test } from "vitest"
import { locales } from "#domain/Locale"
import { type SignupOffer, signupView } from "#hosted/pages/signup/SignupView"
import { visitOf } from "./PageSamples.ts"

const blank = { username: "", email: "", first_name: "", last_name: "", org_name: "" }

const least: SignupOffer = {
  flow: {},
  values: blank,
  usernames: false,
  passwordRequirements: { minLength: 8, requiredChars: [] },
  confirmation: false,
  names: "optional",
  org: "none",
  providers: []
}

type Errors = Parameters<typeof signupView>[2]

/** The visible and the collapsed fields of the form in order, and whether the collapsed section is open. */
const formOf = (offer: Partial<SignupOffer> = {}, errors: Errors = []) => {
  const { markup } = signupView(visitOf("en"), { ...least, ...offer }, errors).content
  const [, open, folded = ""] = /<details class="more"( open)?>(.*?)<\/details>/s.exec(markup) ?? []
  const names = (part: string) => [...part.matchAll(/<input id="(\w+)"/g)].map(([, name]) => name)
  return { shown: names(markup.replace(folded, "")), folded: names(folded), isOpen: open !== undefined, markup }
}

describe("the sign-up form", () => {
  test("shows the required fields first and collapses the optional ones", () => {
    const { shown, folded, isOpen } = formOf()
    expect([shown, folded, isOpen]).toEqual([["email", "password"], ["first_name", "last_name"], false])
  })

  test("shows required names and org after email and password", () => {
    const offer = { usernames: true, confirmation: true, names: "required", org: "required" } as const
    const { shown, markup } = formOf(offer)
    expect(shown).toEqual([
      "email",
      "username",
      "password",
      "password_confirmation",
      "first_name",
      "last_name",
      "org_name"
    ])
    expect(markup).not.toContain("<details")
    expect(markup.match(/<input id="\w+"[^>]* required/g)).toHaveLength(7)
  })

  test("collapses optional fields under a summary that names them", () => {
    for (const [names, org, summary, expected] of [
      ["optional", "none", "Add your name", ["first_name", "last_name"]],
      ["required", "optional", "Add your organization", ["org_name"]],
      ["optional", "optional", "Add name and organization", ["first_name", "last_name", "org_name"]],
      ["optional", "required", "Add your name", ["first_name", "last_name"]]
    ] as const) {
      const { folded, markup } = formOf({ names, org })
      expect([folded, markup.includes(`<summary><span>${summary} <span class="soft">(optional)</span>`)]).toEqual([
        expected,
        true
      ])
      expect(markup.match(/<input id="(first_name|org_name)"[^>]* required/g)?.length ?? 0).toBe(
        Number(names === "required") + Number(org === "required")
      )
    }
  })

  test("expands the optional fields if an optional field has a value or an error", () => {
    expect(formOf({ values: { ...blank, last_name: "L" } }).isOpen).toBe(true)
    expect(formOf({}, [{ field: "first_name", text: "First name is too long." }]).isOpen).toBe(true)
    expect(formOf({ values: { ...blank, email: "a@b.test" } }, [{ field: "password", text: "No." }]).isOpen).toBe(false)
  })

  test.each(locales)("is translated to %s", (language) => {
    const { markup } = signupView(visitOf(language), { ...least, org: "optional" }).content
    expect(markup).toContain(language === "en" ? "Add name and organization" : "Añadir nombre y organización")
  })
})
