import fc from "fast-check"
import { expect, test } from "vitest"
import { canonicalSubdomain, subdomainProblem, subdomainStem } from "#domain/Subdomain"

const anyText = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.string({ maxLength: 300 }))

test("What is made of any name is a label of DNS, with what is added to it too", () => {
  fc.assert(
    fc.property(anyText, (name) => {
      const stem = subdomainStem(name)
      expect(subdomainProblem(stem)).not.toBe("subdomain_form")
      expect(subdomainProblem(`${stem}-0000000`)).toBeUndefined()
      expect(subdomainStem(stem)).toBe(stem)
    })
  )
})

test("A subdomain that is taken is one name in a URL, and stays as it is", () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.stringMatching(/^[a-zA-Z0-9-]{1,64}$/)), (typed) => {
      const subdomain = canonicalSubdomain(typed)
      if (subdomainProblem(subdomain) === "subdomain_form") return
      expect(new URL(`https://${subdomain}.example.test/`).hostname).toBe(`${subdomain}.example.test`)
      expect(canonicalSubdomain(subdomain)).toBe(subdomain)
    })
  )
})
