import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { variables } from "#server/Variables"
import { cli } from "./Cli.ts"

const folder = () => mkdtempSync(join(tmpdir(), "sallyport-"))

const SECRET = "a-secret-of-more-than-thirty-two-characters"

const settingsIn = (out: string): Readonly<Record<string, unknown>> => {
  const { settings } = JSON.parse(out) as { settings: ReadonlyArray<{ name: string }> }
  return Object.fromEntries(settings.map(({ name, ...rest }) => [name, rest]))
}

test("the config command shows every setting with its default when nothing is set", async () => {
  const { code, out, err } = await cli(["config", "print"])
  expect({ code, err }).toEqual({ code: 0, err: "" })
  const [head, ...lines] = out.trimEnd().split("\n")
  expect(head).toMatch(/^SETTING +VALUE +FROM$/)
  expect(lines.map((line) => line.split(/\s/)[0])).toEqual(variables.map(({ name }) => name))
  expect(lines.every((line) => line.endsWith(" default"))).toBe(true)
  expect(out).toMatch(/^PORT +3000 +default$/m)
  expect(out).toMatch(/^SALLYPORT_PUBLIC_URL +http:\/\/localhost:3000 +default$/m)
})

test("shows where each value comes from and masks secrets", async () => {
  const file = join(folder(), "secret")
  writeFileSync(file, `${SECRET}\n`)
  const environment = {
    DATABASE_URL: "postgres://app:hunter2-hunter2@db:5432/sallyport?sslpassword=hunter3",
    SALLYPORT_SECRET_FILE: file,
    SALLYPORT_ROOT_KEY: SECRET,
    SALLYPORT_SMTP_URL: "smtp://mailer:hunter4@mail:587",
    PORT: "8080"
  }
  const { code, out, err } = await cli(["config", "print", "--json"], { environment })
  expect({ code, err }).toEqual({ code: 0, err: "" })
  expect(out).not.toMatch(/hunter|thirty-two/)
  expect(settingsIn(out)).toMatchObject({
    PORT: { value: "8080", source: "environment", file: null },
    HOST: { value: "0.0.0.0", source: "default", file: null },
    DATABASE_URL: {
      value: "postgres://app:********@db:5432/sallyport?sslpassword=********",
      source: "environment",
      file: null
    },
    SALLYPORT_SECRET: { value: "********", source: "file", file },
    SALLYPORT_ROOT_KEY: { value: "********", source: "environment", file: null },
    SALLYPORT_SMTP_URL: { value: "smtp://mailer:********@mail:587", source: "environment", file: null }
  })
})

test("shows all hosts of a database URL, but no password", async () => {
  const environment = {
    DATABASE_URL: "postgres://app:hunter2-hunter2@db1:5432,db2:5432/sallyport",
    SALLYPORT_SECRET: SECRET
  }
  const { out } = await cli(["config", "print", "--json"], { environment })
  expect(settingsIn(out).DATABASE_URL).toMatchObject({ value: "postgres://app:********@db1:5432,db2:5432/sallyport" })
})

test("exits with 1 and reports every problem that would prevent a start", async () => {
  const environment = {
    PORT: "many",
    SALLYPORT_WORKER: "2",
    SALLYPORT_DATABASE_URL: "x",
    SALLYPORT_TRUSTED_PROXIES: "10.0.0.0/8,10.0.0.300",
    DATABASE_URL: "mysql://app:hunter2@db/x"
  }
  const { code, out, err } = await cli(["config", "print"], { environment })
  expect(code).toBe(1)
  expect(err).toBe(
    `Error: The service won't start with this configuration:
  - SALLYPORT_WORKER is not a setting in this release. Did you mean SALLYPORT_WORKERS?
  - SALLYPORT_DATABASE_URL is not a setting in this release. Did you mean DATABASE_URL?
  - PORT must be a whole number from 0 to 65535.
  - DATABASE_URL must start with postgres://, or be memory://.
  - SALLYPORT_SECRET is required with DATABASE_URL. It must have at least 32 characters, and stay the same at every start.
  - SALLYPORT_TRUSTED_PROXIES must be IP addresses, or networks such as 10.0.0.0/8, separated by commas. "10.0.0.300" is not.
${resolve(".env.example")} describes every setting.
`
  )
  expect(out).toMatch(/^PORT +many +environment$/m)
  expect(out).not.toContain("hunter2")
  const { problems } = JSON.parse((await cli(["config", "print", "--json"], { environment })).out)
  expect(problems).toHaveLength(6)
})

test("warns about settings unfit for production and still succeeds", async () => {
  const environment = {
    DATABASE_URL: "postgres://app@db/sallyport",
    SALLYPORT_SECRET: "a".repeat(40),
    SALLYPORT_ROOT_KEY: "8f14e45fceea167a5a36dedd4bea2543-changeme",
    SALLYPORT_TEST_MODE: "on"
  }
  const { code, out, err } = await cli(["config", "print"], { environment })
  expect([code, err, out.split("\n").filter((line) => line.startsWith("Warning"))]).toEqual([
    0,
    "",
    [
      "Warning: SALLYPORT_SECRET repeats a few characters. Set a random one, such as from openssl rand -hex 32.",
      "Warning: SALLYPORT_ROOT_KEY contains “changeme”, so it looks made up. Set a random one, such as from openssl rand -hex 32.",
      "Warning: SALLYPORT_TEST_MODE is on. Never run it with real users."
    ]
  ])
  expect(out).not.toMatch(/aaaa|8f14/)
  expect(JSON.parse((await cli(["config", "print", "--json"], { environment })).out).warnings).toHaveLength(3)
})

test("lets a service start when settings used only by commands are invalid", async () => {
  const environment = { SALLYPORT_URL: "http://localhost:3000", SALLYPORT_KEY_FILE: "/run/key" }
  expect(await cli(["config", "print"], { environment })).toMatchObject({ code: 0, err: "" })
})

test("creates no database in an empty folder with migrate --dry-run", async () => {
  const place = folder()
  const environment = { SALLYPORT_DATA_DIR: join(place, "data") }
  const { code, out } = await cli(["migrate", "--dry-run"], { environment })
  expect(code).toBe(0)
  expect(out).toMatch(
    /^Database: embedded database in \S+\nVersion: {2}nothing yet → \d{4}_\w+\n\n\d+ migrations would be applied:\n {2}0001_realms\n/
  )
  expect(readdirSync(place)).toEqual([])
})

test("writes the OpenAPI document for the current settings without a running service", async () => {
  const file = join(folder(), "openapi.json")
  const environment = { SALLYPORT_HEADER_PREFIX: "X-Acme" }
  expect(await cli(["openapi", "--output", file], { environment })).toEqual({
    code: 0,
    out: `Wrote ${file}.\n`,
    err: ""
  })
  const text = readFileSync(file, "utf8")
  expect(JSON.parse(text)).toMatchObject({ openapi: "3.1.0", paths: { "/v2/users": expect.anything() } })
  expect(text).toContain("x-acme-api-key")
  expect(await cli(["openapi", "-o", join(file, "below")])).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^Error: Can't write the document: .*\nNothing was changed\.\nChoose a file in an existing folder/
    )
  })
})

test.each([
  ["bash", "complete -F"],
  ["zsh", "#compdef sallyport"],
  ["fish", "complete -c sallyport"]
])("writes a completion script for %s with the commands and their options", async (shell, sign) => {
  const { code, out } = await cli(["completions", shell])
  expect(code).toBe(0)
  expect(out).toContain(sign)
  for (const word of ["realms", "delete", "dry-run", "key-file", "json"]) expect(out).toContain(word)
})

test.each([
  ["sallyport realms ", "update"],
  ["sallyport users import --pre", "--preset"],
  ["sallyport completions ", "fish"]
])("completes %j in bash", async (line, word) => {
  const { out } = await cli(["completions", "bash"])
  const words = line.split(" ")
  const ask = `COMP_LINE=${JSON.stringify(line)}; COMP_POINT=${line.length}; COMP_WORDS=(${words.map((one) => `"${one}"`).join(" ")}); COMP_CWORD=${words.length - 1}; $(complete -p sallyport | sed 's/.*-F \\([^ ]*\\).*/\\1/'); echo "\${COMPREPLY[@]}"`
  expect(execFileSync("bash", ["-c", `${out}\n${ask}`], { encoding: "utf8" }).split(/\s/)).toContain(word)
})

test.each([
  ["sallyport users list --realm ", ["rl_1", "rl_2", "rl_3"]],
  ["sallyport users list --realm rl_2", ["rl_2"]],
  ["sallyport users list --realm Har", ["rl_1"]],
  ["sallyport users list --realm A", ["Acme\\ One", "Acme\\ Two"]],
  ["sallyport users list --realm Acme\\\\ T", ["rl_3"]],
  ["sallyport realms get ", ["rl_1", "rl_2", "rl_3"]],
  ["sallyport use ", ["rl_1", "rl_2", "rl_3"]],
  ["sallyport users list --realm Zoo", []]
])("completes the realms of the service in %j in bash", async (line, expected) => {
  const { out } = await cli(["completions", "bash"])
  const words = line.split(/(?<!\\) /)
  const realms = `sallyport() { printf 'rl_1\\tHarbor\\nrl_2\\tAcme One\\nrl_3\\tAcme Two\\n'; }`
  const ask = `COMP_LINE="${line}"; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(${words.map((one) => `"${one}"`).join(" ")}); COMP_CWORD=${words.length - 1}; $(complete -p sallyport | sed 's/.*-F \\([^ ]*\\).*/\\1/'); printf '%s\\n' "\${COMPREPLY[@]}"`
  const completed = execFileSync("bash", ["-c", `${out}\n${realms}\n${ask}`], { encoding: "utf8" })
  expect(completed.split("\n").filter((one) => one !== "")).toEqual(expected)
})

test.each(["zsh", "fish"])("the script for %s asks the service for realms", async (shell) => {
  const { out } = await cli(["completions", shell])
  expect(out).toContain("sallyport realms complete 2>/dev/null")
  expect(out).not.toContain("realms-of-the-service")
})
