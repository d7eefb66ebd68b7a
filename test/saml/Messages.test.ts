import { expect, test } from "vitest"
import { catalogues, formatMessage } from "#api/Messages"
import { samlChecks } from "#domain/SamlRefused"

test.each(samlChecks)("the check %s has a sentence in each language, with values and without", (check) => {
  const texts = Object.values(catalogues).flatMap((catalogue) =>
    [{}, { found: "FOUND", expected: "EXPECTED" }].map((params) =>
      formatMessage(catalogue, { code: `saml_${check}`, field: null, params })
    )
  )
  expect(texts.every((text) => /^[A-Z].*\.$/.test(text))).toBe(true)
  expect(texts.join("\n")).not.toMatch(/[{}[\]]/)
  expect(texts[0]).not.toBe(texts[2])
})
