import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"

const root = resolve(import.meta.dirname, "../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")

/** Every file below these folders, as paths from the root with forward slashes. */
const filesIn = (...folders: ReadonlyArray<string>): ReadonlyArray<string> =>
  folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) =>
          join(entry.parentPath, entry.name)
            .slice(root.length + 1)
            .replaceAll("\\", "/")
        )
    )

const source = filesIn("src").filter((path) => /\.tsx?$/.test(path))
const sql = filesIn("sql").filter((path) => path.endsWith(".sql"))

const comment = /^\s*(\/\/|\/?\*|--)/

/** The matches of a pattern in these files, without comment lines, as `path:line: text`. */
const sightings = (pattern: RegExp, paths: ReadonlyArray<string>, except: ReadonlyArray<string> = []) =>
  paths
    .filter(
      (path) => !except.some((allowed) => path === allowed || (allowed.endsWith("/") && path.startsWith(allowed)))
    )
    .flatMap((path) =>
      read(path)
        .split("\n")
        .flatMap((line, index) =>
          !comment.test(line) && pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []
        )
    )

describe("nondeterminism is accessed through services", () => {
  test("SQL reads no clock and generates no IDs", () => {
    const words =
      /clock_timestamp|(statement|transaction)_timestamp|current_(timestamp|date|time)\b|gen_random_uuid|uuid_generate/i
    const calls = /(?<![.\w])now\(\)/i
    const draws = /(?<![.\w])(random|uuidv[47])\(\)/i
    // Comparing the database's clock with this machine's requires reading it.
    const comparesClocks = ["src/sql/Inspection.ts", "src/store/operations/HealthRepo.ts"]
    const found = [words, calls, draws].flatMap((pattern) => sightings(pattern, [...sql, ...source], comparesClocks))
    expect(found).toEqual([])
    expect(sql.length).toBeGreaterThan(0)
  })

  test("the program uses its own clock and entropy services", () => {
    const clock = /\bDate\.now\b|new Date\(\)|\bnowUnsafe\b/
    const chance = /\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\brandomFill|\bgetRandomValues\b/
    // The SDK runs in its callers' programs.
    const sources = [
      "src/platform/Entropy.ts",
      "src/client/Randomness.ts",
      "src/client/MachineTime.ts",
      "src/admin/texts/BrowserTime.ts"
    ]
    expect([clock, chance].flatMap((pattern) => sightings(pattern, source, sources))).toEqual([])
    expect(source.length).toBeGreaterThan(0)
  })

  test("fibers start only at the edges", () => {
    const edges = ["src/cli/main.ts", "src/sql/prepare.ts", "src/testing/"]
    expect(sightings(/\bEffect\.run(Promise|Sync|Fork|Callback)/, source, edges)).toEqual([])
  })

  test("only Config reads the environment", () => {
    const environment = /\bprocess\??\.env\b|\benv\b.*from "(node:)?process"/
    expect(sightings(environment, source, ["src/server/Config.ts", "src/cli/Environment.ts"])).toEqual([])
  })
})

describe("names", () => {
  test("no file or folder has a vague name such as utils", () => {
    const vague = /^(index|common|.*(utils?|helpers?|managers?))$/i
    const names = filesIn("src", "test", "bench", "resilience").filter((path) => /\.tsx?$/.test(path))
    const stems = (path: string) => path.split("/").map((part) => part.split(".")[0] ?? "")
    expect(names.filter((path) => stems(path).some((stem) => vague.test(stem)))).toEqual([])
  })
})

describe("the console", () => {
  const admin = source.filter((path) => path.startsWith("src/admin/"))

  test("SEC-220: parses no displayed value as markup or code", () => {
    const markup =
      /dangerouslySetInnerHTML|\b(inner|outer)HTML\b|insertAdjacentHTML|\bdocument\.write|\bsrcDoc\b|createContextualFragment|DOMParser/
    const code = /\beval\(|\bnew Function\b|setAttribute\(|\bjavascript:/
    expect([markup, code].flatMap((pattern) => sightings(pattern, admin))).toEqual([])
    expect(admin.length).toBeGreaterThan(100)
  })

  test("SEC-220: checks every URL taken from data, in a few known files", () => {
    const addresses = sightings(/<(?!Link\b)[a-z]\w*\b.*\b(href|src|action|formAction|xlinkHref)=\{/, admin)
    expect(addresses.map((line) => line.split(":")[0])).toEqual([
      "src/admin/apps/AppFrame.tsx",
      "src/admin/apps/LogoField.tsx",
      "src/admin/mailbox/MessagePage.tsx",
      "src/admin/memberships/ResourceLinks.tsx",
      "src/admin/providers/SetupSteps.tsx"
    ])
    // The links of `SetupSteps` are constants.
    for (const line of addresses.filter((one) => !/LogoField|SetupSteps/.test(one)))
      expect(read(line.split(":")[0] ?? "")).toMatch(/https\?:|"https:"/)
  })
})

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}

interface Locked {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly resolved?: string; readonly hasInstallScript?: boolean }>
  >
}

const manifest = JSON.parse(read("package.json")) as Manifest

describe("package.json", () => {
  test.each(["README.md", "AGENTS.md"])("has every script that %s mentions", (path) => {
    const text = existsSync(join(root, path)) ? read(path) : ""
    const mentioned = [...text.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test|stop)\b)/g)].map(
      ([, run, verb]) => run ?? verb
    )
    expect(mentioned.filter((name) => name !== undefined && !(name in manifest.scripts))).toEqual([])
  })

  test("pins every package to one version", () => {
    const packages = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(packages.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  test("SEC-74 (CVE-2026-38728): uses a test mail server that no email can overload", () => {
    const [major = 0, minor = 0, patch = 0] = (manifest.devDependencies["smtp-server"] ?? "").split(".").map(Number)
    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(3_018_003)
  })

  test("allows or denies every install script in a form that npm can verify", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as Locked
    const undecided = Object.entries(packages).flatMap(([path, { version, resolved, hasInstallScript }]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)
      if (hasInstallScript !== true || manifest.allowScripts[name] !== undefined) return []
      // Without the version's URL in the lock file, npm doesn't trust the version and ignores the pinned entry.
      const pinned = manifest.allowScripts[`${name}@${version}`] !== undefined && resolved !== undefined
      return pinned ? [] : [`${name}@${version}`]
    })
    expect(undecided).toEqual([])
  })

  test("allows no package but node to run an install script", () => {
    const allowed = Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name])
    expect(allowed.map((name) => name.split("@")[0])).toEqual(["node"])
  })
})
