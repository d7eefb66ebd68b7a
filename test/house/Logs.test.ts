import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"

const root = resolve(import.meta.dirname, "../..")

/** The first argument of whatever logs, where it is a text. */
const logged = /(?:Effect\.log(?:Debug|Info|Warning|Error|Fatal)?|throttled)\(\s*("(?:[^"\\]|\\.)*"|`[^`]*`)?(.?)/g

const found = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .flatMap((path) =>
    [...readFileSync(join(root, "src", path), "utf8").matchAll(logged)].map(([call, text]) => ({ path, call, text }))
  )

const page = readFileSync(join(root, "docs/logs.md"), "utf8")

test("What is logged is a sentence that is always the same, so that what differs stands in fields beside it", () => {
  const others = found.filter(({ text }) => text === undefined || !/^"[A-Z].*\."$/.test(text))
  // The one place where the sentence of a warning is handed on.
  expect(others.map(({ path, call }) => `${path}: ${call}`)).toEqual(["http/RequestLog.ts: Effect.logWarning(m"])
})

test("The page about the log has each sentence, and no other", () => {
  const described = [...page.matchAll(/^\| (?:DEBUG|INFO|WARN|ERROR) \| (.+?) \|/gm)].map(([, message]) => message)
  const sentences = found.flatMap(({ text }) => (text === undefined ? [] : [text.slice(1, -1)]))
  expect([...new Set(described)].sort()).toEqual([...new Set(sentences)].sort())
})
