import { readdirSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { expect, test } from "vitest"
import { providerTypes } from "#domain/AuthProvider"

const folder = resolve(import.meta.dirname, "../../sql/migrations")

const statements = readdirSync(folder)
  .sort()
  .map((file) => readFileSync(resolve(folder, file), "utf8"))
  .join("\n")

test("the database accepts exactly the provider types of the domain", () => {
  const [, list = ""] = [...statements.matchAll(/check \(provider_type in\s*\(([^)]*)\)\)/g)].at(-1) ?? []
  expect(list.match(/\w+/g)).toEqual(providerTypes)
})
