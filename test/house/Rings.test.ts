import { execFile } from "node:child_process"
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const root = resolve(import.meta.dirname, "../..")

type Files = Readonly<Record<string, string>>

interface Finding {
  readonly code: string
  readonly severity: string
  readonly filename: string
  readonly help?: string
}

/** A second copy of the table in ADR-0001 and ADR-0014: the imports that oxlint must allow. All others are violations. */
const mayImport: Readonly<Record<string, string>> = {
  domain: "",
  platform: "domain",
  saml: "domain",
  store: "domain platform",
  api: "domain",
  client: "domain api",
  admin: "domain api client",
  core: "domain platform store saml",
  sql: "",
  actors: "domain platform store core",
  http: "domain api platform core",
  hosted: "domain api platform core",
  oauth: "domain api platform core",
  server: "domain platform store api core sql actors http hosted oauth",
  testing: "domain platform store api client core sql actors http hosted oauth server",
  cli: "domain api client server"
}

/** A small tree without violations. The cases below add files to it. */
const clean: Files = {
  "src/domain/Ids.ts": `export const prefix = "usr_"\n`,
  "src/domain/User.ts": `import { prefix } from "./Ids.ts"\n\nexport const id = \`\${prefix}1\`\n`,
  "src/api/hosted/Api.ts": `import { path } from "../v2/Users.ts"\n\nexport const api = [path]\n`,
  "src/api/v2/Users.ts": `import { id } from "#domain/User"\n\nexport const path = \`/users/\${id}\`\n`,
  "src/platform/Transaction.ts": `export { SqlClient } from "effect/sql/SqlClient"\n`,
  "src/store/users/UsersRepo.ts": `export { SqlClient } from "effect/sql/SqlClient"\nexport { prefix } from "#domain/Ids"\n`,
  "src/core/provisioning/NewUsers.ts": `export * from "#store/users/UsersRepo"\nexport { id } from "#domain/User"\n`,
  "src/core/users/Users.ts": `export * from "../provisioning/NewUsers.ts"\nexport * from "#platform/Transaction"\n`,
  "src/core/external/providers/Github.ts": `export * from "../../users/Users.ts"\n`,
  "src/http/v2/Users.ts": `export { SqlClient } from "#core/users/Users"\nexport { HttpRouter } from "effect/http"\n`,
  "src/server/Config.ts": `export const port = process.env["PORT"]\n`,
  "src/cli/main.ts": `import { Effect } from "effect"\n\nEffect.runFork(Effect.void)\n`,
  "src/server/Http.ts": `export * as Server from "@effect/platform-node/NodeHttpServer"\n`,
  "src/sql/Files.ts": `export { readFile } from "node:fs/promises"\n`
}

let scratch = ""
let houses = 0

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "sallyport-rings-"))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

interface Linted {
  readonly exit: number
  readonly findings: ReadonlyArray<Finding>
}

/** Runs the project's own oxlint configuration on a tree of files. */
const lint = async (files: Files): Promise<Linted> => {
  const house = join(scratch, `house-${houses++}`)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(house, name)), { recursive: true })
    await writeFile(join(house, name), text)
  }
  for (const name of ["oxlint.config.ts", "package.json"]) await copyFile(join(root, name), join(house, name))
  const oxlint = join(root, "node_modules/oxlint/bin/oxlint")
  const args = [oxlint, "--deny-warnings", "--format=json"]
  return new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd: house }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== "number") return fail(error)
      if (!stdout.includes(`"diagnostics"`)) return fail(new Error(`oxlint did not lint: ${stdout}${stderr}`))
      const exit = typeof error?.code === "number" ? error.code : 0
      done({ exit, findings: JSON.parse(stdout).diagnostics as ReadonlyArray<Finding> })
    })
  })
}

interface Planted {
  readonly what: string
  readonly rule: string
  readonly plant: Files
  readonly says?: string
}

const imports = "eslint(no-restricted-imports)"

const planted: ReadonlyArray<Planted> = [
  {
    what: "domain importing effect/sql",
    rule: imports,
    plant: { "src/domain/Rows.ts": `export { SqlClient } from "effect/sql/SqlClient"\n` },
    says: "domain must not import effect/sql."
  },
  {
    what: "domain importing node:fs",
    rule: imports,
    plant: { "src/domain/Disk.ts": `export { readFile } from "node:fs"\n` },
    says: "domain must not import node:*."
  },
  {
    what: "domain importing fs without its prefix",
    rule: "unicorn(prefer-node-protocol)",
    plant: { "src/domain/Files.ts": `export { readFile } from "fs"\n` }
  },
  {
    what: "core importing effect/http",
    rule: imports,
    plant: { "src/core/users/Web.ts": `export { HttpRouter } from "effect/http"\n` },
    says: "core must not import effect/http*."
  },
  {
    what: "a repository importing effect/http-api",
    rule: imports,
    plant: { "src/store/WebRepo.ts": `export { HttpApi } from "effect/http-api"\n` },
    says: "store must not import effect/http*."
  },
  {
    what: "SQL outside store, in core",
    rule: imports,
    plant: { "src/core/users/Rows.ts": `export type { SqlClient } from "effect/sql/SqlClient"\n` },
    says: "core must not import effect/sql."
  },
  {
    what: "SQL outside store, in platform",
    rule: imports,
    plant: { "src/platform/Rows.ts": `export type { SqlClient } from "effect/sql/SqlClient"\n` },
    says: "platform must not import effect/sql."
  },
  {
    what: "signed XML outside of its ring",
    rule: imports,
    plant: { "src/core/external/Xml.ts": `export { SignedXml } from "xml-crypto"\n` },
    says: "Only src/saml may read signed XML."
  },
  {
    what: "a folder of core importing one that comes after it",
    rule: imports,
    plant: { "src/core/provisioning/NewOrgs.ts": `export * from "../users/Users.ts"\n` },
    says: "core/provisioning must not import a later folder of core."
  },
  {
    what: "a nested file of a core folder importing a folder that comes after it",
    rule: imports,
    plant: { "src/core/login/steps/Code.ts": `export * from "../../external/providers/Github.ts"\n` },
    says: "core/login must not import a later folder of core."
  },
  {
    what: "an import of a file in the same ring by its # name",
    rule: imports,
    plant: { "src/core/users/Names.ts": `export * from "#core/users/Users"\n` },
    says: "Use relative imports within core."
  },
  {
    what: "http importing effect/sql",
    rule: imports,
    plant: { "src/http/v2/Rows.ts": `export { SqlClient } from "effect/sql/SqlClient"\n` },
    says: "http must not import effect/sql."
  },
  {
    what: "http importing a database driver",
    rule: imports,
    plant: { "src/http/Rows.ts": `export * as Pg from "@effect/sql-pg/PgClient"\n` },
    says: "http must not import effect/sql."
  },
  {
    what: "a relative import leaving the ring",
    rule: imports,
    plant: { "src/core/users/Out.ts": `export { prefix } from "../../domain/Ids.ts"\n` },
    says: "Relative imports must stay within core."
  },
  {
    what: "a relative import leaving the ring from a nested folder",
    rule: imports,
    plant: { "src/core/external/providers/Out.ts": `export { prefix } from "../../../domain/Ids.ts"\n` },
    says: "Relative imports must stay within core."
  },
  {
    what: "a dynamic import that the ring table forbids",
    rule: imports,
    plant: { "src/core/users/Late.ts": `export const late = () => import("#http/users/V2")\n` },
    says: "core may import domain, platform, store, saml."
  },
  {
    what: "an import written inside a type",
    rule: "typescript(consistent-type-imports)",
    plant: { "src/core/users/Typed.ts": `export type Path = typeof import("#http/users/V2")\n` }
  },
  {
    what: "an import cycle",
    rule: "import(no-cycle)",
    plant: {
      "src/domain/Hen.ts": `import { egg } from "./Egg.ts"\n\nexport const hen = () => egg\n`,
      "src/domain/Egg.ts": `import { hen } from "./Hen.ts"\n\nexport const egg = () => hen\n`
    }
  },
  {
    what: "an import cycle of types",
    rule: "import(no-cycle)",
    plant: {
      "src/domain/Oak.ts": `import type { Acorn } from "./Acorn.ts"\n\nexport type Oak = { acorn: Acorn }\n`,
      "src/domain/Acorn.ts": `import type { Oak } from "./Oak.ts"\n\nexport type Acorn = { oak: Oak }\n`
    }
  },
  {
    what: "a file over 300 lines",
    rule: "eslint(max-lines)",
    plant: {
      "src/domain/Long.ts": `${Array.from({ length: 301 }, (_, i) => `export const a${i} = ${i}`).join("\n")}\n`
    }
  },
  {
    what: "any",
    rule: "typescript(no-explicit-any)",
    plant: { "src/domain/Loose.ts": `export const loose: any = 1\n` }
  },
  {
    what: "a non-null assertion",
    rule: "typescript(no-non-null-assertion)",
    plant: { "src/domain/Sure.ts": `export const sure = (text: string | null) => text!\n` }
  },
  {
    what: "a silenced compiler",
    rule: "typescript(ban-ts-comment)",
    plant: { "src/domain/Hush.ts": `// @ts-expect-error a reason does not help\nexport const hush: string = 1\n` }
  },
  {
    what: "reading the environment outside Config",
    rule: "node(no-process-env)",
    plant: { "src/server/Port.ts": `export const port = process.env["PORT"]\n` }
  },
  {
    what: "starting a fiber outside the edges",
    rule: "eslint(no-restricted-properties)",
    plant: {
      "src/core/users/Start.ts": `import { Effect } from "effect"\n\nexport const go = Effect.runPromise(Effect.void)\n`
    }
  },
  {
    what: "a barrel that loads every driver",
    rule: imports,
    plant: { "src/server/Node.ts": `export { NodeHttpServer } from "@effect/platform-node"\n` },
    says: "Import a submodule: the barrel loads every driver."
  }
]

describe("the ring table", () => {
  test("accepts a tree without violations", async () => {
    expect(await lint(clean)).toEqual({ exit: 0, findings: [] })
  })

  describe("with a violation of each kind, in separate files", () => {
    const places = planted.flatMap(({ plant }) => Object.keys(plant))
    let house: Linted

    beforeAll(async () => {
      house = await lint(Object.assign({ ...clean }, ...planted.map(({ plant }) => plant)))
    })

    test("rejects exactly these files", () => {
      expect(new Set(places).size).toBe(places.length)
      expect(Object.keys(clean).filter((path) => places.includes(path))).toEqual([])
      expect(house.exit).toBeGreaterThan(0)
      expect(places).toEqual(expect.arrayContaining(house.findings.map((one) => one.filename)))
    })

    test.each(planted)("rejects $what by $rule", ({ rule, plant, says }) => {
      const findings = house.findings.filter((one) => one.filename in plant)
      expect(findings.map((one) => one.code)).toContain(rule)
      // Both severities make oxlint exit with a code other than 0.
      for (const { severity } of findings) expect(["error", "warning"]).toContain(severity)
      if (says !== undefined) expect(findings.map((one) => one.help)).toContain(says)
    })
  })

  test("allows and forbids the same pairs of rings as the design", async () => {
    const rings = Object.keys(mayImport)
    const pairs = rings.flatMap((from) => rings.filter((to) => to !== from).map((to) => ({ from, to })))
    const name = (pair: { from: string; to: string }) => `src/${pair.from}/To${pair.to}.ts`
    const { findings } = await lint(
      Object.fromEntries(pairs.map((pair) => [name(pair), `export * from "#${pair.to}/Door"\n`]))
    )
    const barred = pairs.filter(({ from, to }) => mayImport[from]?.split(" ").includes(to) !== true)
    expect(findings.map((one) => one.filename).sort()).toEqual(barred.map(name).sort())
  })
})
