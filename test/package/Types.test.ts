import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { blocksOf, guides, textOf } from "../guides/Page.ts"
import { installed, node, project, tool } from "./Consumer.ts"

const folder = project("types")

test.each(["node16", "bundler"])("every entry has types under %s resolution in strict mode", async (resolution) => {
  const ended = await node(folder, tool("typescript/bin/tsc"), "--checkers", "1", "-p", `tsconfig.${resolution}.json`)
  expect(ended).toEqual({ code: 0, out: "", err: "" })
})

test("the code in the package's README type-checks", async () => {
  const readme = readFileSync(join(installed, "node_modules/sallyport-service/README.md"), "utf8")
  const shown = blocksOf(readme).filter(({ language }) => language === "ts")
  expect(shown.map(({ note }) => note)).toEqual(["trial.test.mts"])
  const pages = join(folder, "readme")
  mkdirSync(pages)
  for (const { note, code } of shown) writeFileSync(join(pages, note), code)
  writeFileSync(
    join(pages, "tsconfig.json"),
    JSON.stringify({
      extends: "../tsconfig.node16.json",
      // The libraries are checked above, for all entries.
      compilerOptions: { skipLibCheck: true },
      files: shown.map(({ note }) => note)
    })
  )
  const ended = await node(folder, tool("typescript/bin/tsc"), "--checkers", "1", "-p", "readme/tsconfig.json")
  expect(ended).toEqual({ code: 0, out: "", err: "" })
})

test("has types for the code of every guide, in strict mode", async () => {
  const pages = join(folder, "guides")
  for (const guide of guides) {
    mkdirSync(join(pages, guide), { recursive: true })
    // Next.js is not installed here.
    const scripts = blocksOf(textOf(guide)).filter(
      ({ note, code }) => /\.m?[jt]s$/.test(note) && !code.includes('"next/')
    )
    for (const { note, code } of scripts) writeFileSync(join(pages, guide, note), code)
  }
  const compilerOptions = {
    target: "es2022",
    lib: ["es2024", "dom", "dom.iterable", "esnext.disposable"],
    module: "node16",
    types: ["node"],
    strict: true,
    // JavaScript can't declare the types of parameters.
    noImplicitAny: false,
    allowJs: true,
    checkJs: true,
    skipLibCheck: true,
    noEmit: true
  }
  writeFileSync(join(pages, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*/*"] }))
  const ended = await node(folder, tool("typescript/bin/tsc"), "--checkers", "1", "-p", "guides/tsconfig.json")
  expect(ended).toEqual({ code: 0, out: "", err: "" })
})
