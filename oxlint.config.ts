import type { OxlintConfig } from "oxlint"

type Override = NonNullable<OxlintConfig["overrides"]>[number]
type Rules = NonNullable<OxlintConfig["rules"]>
type Ring = keyof typeof mayImport
type Outside = keyof typeof outside

/** The other rings that each ring may import. No ring may import a ring that isn't listed. */
const mayImport = {
  domain: [],
  platform: ["domain"],
  saml: ["domain"],
  store: ["domain", "platform"],
  api: ["domain"],
  client: ["domain", "api"],
  admin: ["domain", "api", "client"],
  core: ["domain", "platform", "store", "saml"],
  sql: [],
  actors: ["domain", "platform", "store", "core"],
  http: ["domain", "api", "platform", "core"],
  hosted: ["domain", "api", "platform", "core"],
  oauth: ["domain", "api", "platform", "core"],
  server: ["domain", "platform", "store", "api", "core", "sql", "actors", "http", "hosted", "oauth"],
  testing: [
    "domain",
    "platform",
    "store",
    "api",
    "client",
    "core",
    "sql",
    "actors",
    "http",
    "hosted",
    "oauth",
    "server"
  ],
  cli: ["domain", "api", "client", "server"]
} as const

/** The packages that a ring may not import. */
const alsoBarred: Partial<Record<Ring, ReadonlyArray<Outside>>> = {
  domain: ["effect/sql", "effect/http*", "node:*"],
  platform: ["effect/sql", "effect/http*"],
  saml: ["effect/sql", "effect/http*"],
  store: ["effect/http*"],
  api: ["effect/sql", "node:*"],
  client: ["effect/sql", "node:*"],
  admin: ["effect/sql", "node:*"],
  core: ["effect/sql", "effect/http*"],
  actors: ["effect/sql"],
  http: ["effect/sql"],
  hosted: ["effect/sql"],
  oauth: ["effect/sql"]
}

/** Exceptions: the files of a ring that may import a barred package. Besides repositories, only the transaction uses SQL. */
const lifted: Partial<Record<Ring, { readonly bar: Outside; readonly files: ReadonlyArray<string> }>> = {
  platform: { bar: "effect/sql", files: ["Transaction.ts"] }
}

/**
 * The folders of core, in order. A file may import from its own folder and from earlier ones. No file is outside of
 * these folders.
 */
export const coreFolders: ReadonlyArray<string> = [
  "nodes",
  "caches",
  "upkeep",
  "tokens",
  "limits",
  "passwords",
  "mail",
  "events",
  "access",
  "keys",
  "hooks",
  "appearance",
  "apps",
  "provisioning",
  "credentials",
  "sessions",
  "realms",
  "users",
  "operators",
  "imports",
  "account",
  "orgs",
  "login",
  "invitations",
  "external",
  "hosted",
  "oauth"
]

/** The patterns for the names above. Driver packages count as SQL. */
const outside = {
  "effect/sql": "^(effect/sql|@effect/sql-|@electric-sql/)",
  "effect/http*": "^effect/http",
  "node:*": "^node:"
}

/** Packages whose main entry loads unused drivers. Import a submodule instead. */
const barrels = ["@effect/platform-node", "@effect/sql-pg"]

/** Libraries for XML and its signatures, and the rings that may import them (ADR-0027). */
const xml = { regex: "^(@xmldom/|xml-crypto$)", rings: new Set<Ring>(["saml", "testing"]) }

/** The files that may run effects: the program, the build step and the test kit. */
const mayRun = ["src/cli/main.ts", "src/sql/prepare.ts", "src/testing/**"]

const rings = Object.keys(mayImport) as ReadonlyArray<Ring>

const barrelPaths = barrels.flatMap((name) => [
  { name, message: "Import a submodule: the barrel loads every driver." },
  { name: `${name}/index`, message: "Import a submodule: the barrel loads every driver." }
])

/** A forbidden form of imports, with the reason. */
interface Pattern {
  readonly regex: string
  readonly message: string
}

/** Returns the import rule for files that are `depth` folders below a ring's folder. */
const importRule = (
  ring: Ring,
  depth: number,
  bars: ReadonlyArray<Outside>,
  more: ReadonlyArray<Pattern> = []
): Rules => {
  const allowed: ReadonlyArray<Ring> = mayImport[ring]
  const shut = rings.filter((other) => other !== ring && !allowed.includes(other))
  const may = allowed.length === 0 ? "no other ring" : allowed.join(", ")
  return {
    "no-restricted-imports": [
      "error",
      {
        paths: barrelPaths,
        patterns: [
          { regex: `^(\\./)?(\\.\\./){${depth + 1}}`, message: `Relative imports must stay within ${ring}.` },
          { regex: `^#${ring}/`, message: `Use relative imports within ${ring}.` },
          { regex: `^#(${shut.join("|")})/`, message: `${ring} may import ${may}.` },
          ...(xml.rings.has(ring) ? [] : [{ regex: xml.regex, message: "Only src/saml may read signed XML." }]),
          ...more,
          ...bars.map((bar) => ({ regex: outside[bar], message: `${ring} must not import ${bar}.` }))
        ]
      }
    ]
  }
}

/** A later override replaces an earlier one, so exceptions come after their ring. */
const ringOverrides = rings.flatMap((ring) =>
  ["*", "*/*", "*/*/*", "*/*/*/**/*"].flatMap((files, depth): ReadonlyArray<Override> => {
    const folder = `src/${ring}/${files.slice(0, -1)}`
    const bars = alsoBarred[ring] ?? []
    const lift = lifted[ring]
    const all: Override = { files: [`${folder}*.{ts,tsx}`], rules: importRule(ring, depth, bars) }
    if (lift === undefined) return [all]
    const fewer = bars.filter((bar) => bar !== lift.bar)
    return [all, { files: lift.files.map((file) => folder + file), rules: importRule(ring, depth, fewer) }]
  })
)

/** For each folder of core, forbids imports from later folders, at both depths. */
const coreOverrides = coreFolders.flatMap((folder, index) =>
  ["*.ts", "*/*.ts"].map((files, deeper): Override => {
    const later = coreFolders.slice(index + 1).join("|")
    const order = {
      regex: `^(\\.\\./){${deeper + 1}}(${later})/`,
      message: `core/${folder} must not import a later folder of core.`
    }
    const rule = importRule("core", deeper + 1, alsoBarred.core ?? [], later === "" ? [] : [order])
    return { files: [`src/core/${folder}/${files}`], rules: rule }
  })
)

/** The names of Effect's run functions, such as runPromise, runSyncExit and runForkWith. */
const runs = ["Promise", "Sync", "Fork", "Callback"].flatMap((kind) =>
  ["", "With", "Exit", "ExitWith"].map((form) => `run${kind}${form}`)
)

export default {
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "node"],
  categories: { correctness: "error" },
  ignorePatterns: ["dist", "data", "coverage"],
  options: { reportUnusedDisableDirectives: "error" },
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "max-lines": ["error", { max: 300 }],
    "no-restricted-imports": ["error", { paths: barrelPaths }],
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    "typescript/ban-ts-comment": ["error", { "ts-ignore": true, "ts-expect-error": true, "ts-nocheck": true }],
    "typescript/consistent-type-imports": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "unicorn/prefer-node-protocol": "error"
  },
  overrides: [
    ...ringOverrides,
    ...coreOverrides,
    // The list of error codes grows with the messages.
    { files: ["src/client/generated/types/ErrorCode.ts"], rules: { "max-lines": "off" } },
    // These values can be awaited or iterated over.
    { files: ["src/client/{List,ImportRun}.ts"], rules: { "unicorn/no-thenable": "off" } },
    {
      files: ["src/**"],
      excludeFiles: ["src/server/Config.ts", "src/cli/Environment.ts"],
      rules: { "node/no-process-env": "error" }
    },
    {
      files: ["src/**"],
      excludeFiles: mayRun,
      rules: {
        "no-restricted-properties": [
          "error",
          ...runs.map((property) => ({
            object: "Effect",
            property,
            message: "Return the Effect instead: only entry points run effects."
          }))
        ]
      }
    }
  ]
} satisfies OxlintConfig
