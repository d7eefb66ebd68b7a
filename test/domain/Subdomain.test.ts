import { expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { canonicalSubdomain, subdomainProblem, subdomainStem } from "#domain/Subdomain"
import { matching, UnicodeText } from "../support/arbitraries.ts"

const AnyText = Schema.Union([Schema.String, UnicodeText.check(Schema.isMaxLength(20))])

const options = { arbitrary: { size: 300 } }

it.prop(
  "subdomainStem returns a valid DNS label for any name, even with a suffix",
  [AnyText],
  ([name]) => {
    const stem = subdomainStem(name)
    expect(subdomainProblem(stem)).not.toBe("subdomain_form")
    expect(subdomainProblem(`${stem}-0000000`)).toBeUndefined()
    expect(subdomainStem(stem)).toBe(stem)
  },
  options
)

it.each([
  "www",
  "login",
  "console",
  "sallyport"
])("SEC-103: rejects the subdomain %s, which looks like the service's own", (name) => {
  expect(subdomainProblem(name)).toBe("reserved")
})

it.prop(
  "an accepted subdomain is a single label in a URL and stays unchanged",
  [Schema.Union([AnyText, matching(/^[a-zA-Z0-9-]{1,64}$/)])],
  ([typed]) => {
    const subdomain = canonicalSubdomain(typed)
    if (subdomainProblem(subdomain) === "subdomain_form") return
    expect(new URL(`https://${subdomain}.example.test/`).hostname).toBe(`${subdomain}.example.test`)
    expect(canonicalSubdomain(subdomain)).toBe(subdomain)
  },
  options
)
