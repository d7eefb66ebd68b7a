import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { acceptedLanguages, catalogueFor, catalogues, formatMessage } from "#api/Messages"
import { en } from "#api/messages/en"
import { es } from "#api/messages/es"
import { en as pages } from "#hosted/texts/en"

const braces = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([brace]) => brace).sort()

test("every message has all translations, with the same variables", () => {
  for (const catalogue of Object.values(catalogues)) {
    expect(Object.keys(catalogue.sentences).sort()).toEqual(Object.keys(en.sentences).sort())
    for (const [code, text] of Object.entries(en.sentences)) {
      expect(braces(catalogue.sentences[code] ?? ""), `${catalogue.language} ${code}`).toEqual(braces(text))
      expect(catalogue.sentences[code]).toMatch(/\.\]?$/)
    }
  }
})

test("every error code in the source has a message", () => {
  const source = join(import.meta.dirname, "../../src")
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))
  const text = files.map((name) => readFileSync(join(source, name), "utf8")).join("\n")
  const named = [
    ...text.matchAll(/\bproblem\((?:[^,()]+), "(\w+)"/g),
    ...text.matchAll(/\brejected\((?:[^,()]+), "(\w+)"/g),
    ...text.matchAll(/problem: \{ code: "(\w+)"/g),
    ...text.matchAll(/\b(?:badRequest|unauthorized|unavailable)\("(\w+)"/g)
  ].map(([, code]) => code)
  expect(named.length).toBeGreaterThan(40)
  const sentences: object = { ...en.sentences, ...pages.sentences }
  expect([...new Set(named)].filter((code) => code === undefined || !(code in sentences))).toEqual([])
})

test("messages use the best known language of Accept-Language, or else English", () => {
  expect(catalogueFor(acceptedLanguages("fr, es-MX;q=0.8, en;q=0.9")).language).toBe("en")
  expect(catalogueFor(acceptedLanguages("fr, es-MX;q=0.8, en;q=0.5")).language).toBe("es")
  expect(catalogueFor(acceptedLanguages("en;q=0, es")).language).toBe("es")
  expect(catalogueFor(acceptedLanguages("fr")).language).toBe("en")
  expect(catalogueFor(acceptedLanguages(undefined)).language).toBe("en")
})

test("text in brackets is included only if its variable has a value", () => {
  const unknown = { field: "q", code: "unknown_parameter", params: { parameter: "q", known: "after, sort" } }
  expect(formatMessage(en, unknown)).toBe("Unknown query parameter q. This request takes: after, sort.")
  expect(formatMessage(es, unknown)).toBe(
    "Parámetro desconocido en la consulta: q. Esta solicitud admite: after, sort."
  )
  expect(formatMessage(en, { ...unknown, params: { ...unknown.params, nearest: "sort" } })).toBe(
    "Unknown query parameter q. Did you mean sort? This request takes: after, sort."
  )
  for (const { sentences } of Object.values(catalogues)) {
    for (const text of Object.values(sentences)) {
      expect(text.replaceAll(/\[[^[\]]*\{\w+\}[^[\]]*\]/g, "")).not.toMatch(/[[\]]/)
    }
  }
})

test("a message names the field in the message's language", () => {
  expect(formatMessage(en, { field: "first_name", code: "too_long", params: { maximum: 255 } })).toBe(
    "First name is too long (maximum is 255 characters)."
  )
  expect(formatMessage(es, { field: "email", code: "blank" })).toBe("Correo: no puede estar en blanco.")
  const unfound = { field: "after", code: "not_found", params: { resource: "auth_provider" } }
  expect(formatMessage(en, unfound)).toBe("Auth provider could not be found.")
})
