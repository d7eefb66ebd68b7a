import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { expect, test } from "vitest"
import { providerTypes } from "#domain/AuthProvider"

const migration = resolve(import.meta.dirname, "../../sql/migrations/0003_authentication.sql")

test("the database accepts the provider types of the domain, and no others", () => {
  const [, list = ""] = /check \(provider_type in\s*\(([^)]*)\)\)/.exec(readFileSync(migration, "utf8")) ?? []
  expect(list.match(/\w+/g)).toEqual(providerTypes)
})
