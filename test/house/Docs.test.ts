import { existsSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { describe, expect, test } from "vitest"

const root = resolve(import.meta.dirname, "../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")

/** Pages that describe the current state. The history of the findings is in the commits. */
const current = ["docs/testing.md", "docs/performance.md", "docs/reliability.md", "docs/scale.md"]

const MAX_WIDTH = 140

describe("documents", () => {
  test.each([
    ["README.md", 120],
    ["AGENTS.md", 70],
    ...current.map((path) => [path, 200] as const)
  ] as const)("%s has at most %i lines", (path, most) => {
    expect(read(path).trimEnd().split("\n").length).toBeLessThanOrEqual(most)
  })

  test.each(current)("%s has no line over 140 characters", (path) => {
    expect(
      read(path)
        .split("\n")
        .filter(({ length }) => length > MAX_WIDTH)
    ).toEqual([])
  })
})

describe("docs/testing.md", () => {
  const examples = [...read("docs/testing.md").matchAll(/^```ts (\S+)\n(.*?)^```/gms)]

  test("imports only existing modules in its example tests", () => {
    const missing = examples.flatMap(([, path = "", code = ""]) =>
      [...code.matchAll(/^import \{ (.+) \} from "((?:#|\.).+)"$/gm)].flatMap(([, names = "", from = ""]) => {
        const file = from.startsWith("#") ? `src/${from.slice(1)}.ts` : join(dirname(path), from)
        if (!existsSync(join(root, file))) return [file]
        return names.split(", ").filter((name) => !new RegExp(`^export \\w+ ${name}\\b`, "m").test(read(file)))
      })
    )
    expect(missing).toEqual([])
    expect(examples).toHaveLength(4)
  })
})
