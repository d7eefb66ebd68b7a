import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"

const root = resolve(import.meta.dirname, "../..")

/** The first argument of a log call if it is a string. */
const logged = /(?:Effect\.log(?:Debug|Info|Warning|Error|Fatal)?|throttled)\(\s*("(?:[^"\\]|\\.)*"|`[^`]*`)?(.?)/g

const found = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .flatMap((path) =>
    [...readFileSync(join(root, "src", path), "utf8").matchAll(logged)].map(([call, text]) => ({ path, call, text }))
  )

const page = readFileSync(join(root, "docs/logs.md"), "utf8")

test("every log message is a constant sentence with its variable parts in separate fields", () => {
  const others = found.filter(({ text }) => text === undefined || !/^"[A-Z].*\."$/.test(text))
  // The only place where a warning's message is passed on as a variable.
  expect(others.map(({ path, call }) => `${path}: ${call}`)).toEqual(["http/RequestLog.ts: Effect.logWarning(m"])
})

test("docs/logs.md lists exactly the log messages of the source", () => {
  const described = [...page.matchAll(/^\| (?:DEBUG|INFO|WARN|ERROR) \| (.+?) \|/gm)].map(([, message]) => message)
  const sentences = found.flatMap(({ text }) => (text === undefined ? [] : [text.slice(1, -1)]))
  expect([...new Set(described)].sort()).toEqual([...new Set(sentences)].sort())
})
