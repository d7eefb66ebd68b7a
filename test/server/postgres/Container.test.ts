import { once } from "node:events"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Redacted } from "effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import { parse } from "yaml"
import { Api } from "#testing/Api"
import {
  type Compose,
  imageEnvironment,
  instructions,
  read,
  readCompose,
  root,
  withDefaults,
  words
} from "../../deploy/Files.ts"
import { freshDatabase } from "../../support/databases.ts"
import { bundle } from "../Bundle.ts"
import { type Jail, makeJail } from "./Jail.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"

let jail: Jail

beforeAll(async () => {
  jail = makeJail(root, join(await bundle(), ".."))
}, 180_000)

afterAll(() => jail?.remove())

const { NODE_ENV = "", SALLYPORT_DATA_DIR = "" } = imageEnvironment()

/** What containers have of the image, with a free port of this machine alone. */
const ofImage = { NODE_ENV, SALLYPORT_DATA_DIR, PORT: "0", HOST: "127.0.0.1" }

/** Runs a command of the image until it ends. */
const run = async (command: ReadonlyArray<string>, environment: Readonly<Record<string, string | undefined>>) => {
  const child = jail.run(command, { ...ofImage, ...environment })
  let output = ""
  child.stdout.on("data", (chunk) => (output += chunk))
  child.stderr.on("data", (chunk) => (output += chunk))
  await once(child, "close")
  return { code: child.exitCode, output }
}

/** Starts what the image starts. */
const start = async (environment: Readonly<Record<string, string | undefined>>) => {
  const given = { ...ofImage, ...environment, PORT: "0" }
  const child = jail.run(words("CMD"), given)
  let output = ""
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      output += chunk
      if (/^\{"url":.*\n/m.test(output)) resolve()
    })
    child.stderr.on("data", (chunk) => (output += chunk))
    child.once("close", () => reject(new Error(output)))
  })
  const url = /^\{"url":"([^"]+)/m.exec(output)?.[1] ?? ""
  // The health check asks where the service listens.
  const health = () => run(["health"], { ...given, PORT: new URL(url).port })
  const stop = async () => {
    const closed = once(child, "close")
    child.kill("SIGTERM")
    await closed
    expect(child.exitCode).toBe(0)
  }
  return { url, health, stop }
}

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))

test("SEC-229: the image has Node, its libraries, what Node runs and who is who, and nothing else", () => {
  const files = filesBelow(jail.root)
  const others = files.filter(
    (file) => !/^(?:usr\/bin\/node$|(?:usr\/)?lib(?:64)?\/.+\.so[.\d]*$|etc\/|sallyport\/)/.test(file)
  )
  expect(others).toEqual([])
  const ours = files.filter((file) => /\.ts$|library-|\/(?:source|package-lock\.json)$|\.(?:cjs|cts)$/.test(file))
  expect(ours).toEqual([])
  const bytes = files.reduce((sum, file) => sum + statSync(join(jail.root, file)).size, 0)
  expect(bytes).toBeLessThan(165e6)
})

test("Its bill of materials and its licenses name what is in it", () => {
  const bill: { components: ReadonlyArray<{ name: string; version: string; purl: string }> } = JSON.parse(
    readFileSync(join(jail.root, "sallyport/sbom.cdx.json"), "utf8")
  )
  const purls = bill.components.map(({ purl }) => purl)
  expect(new Set(purls).size).toBe(purls.length)
  const beside = filesBelow(join(jail.root, "sallyport/node_modules")).filter((file) => file.endsWith("/package.json"))
  expect(beside.length).toBeGreaterThan(4)
  for (const file of beside) {
    const { name, version } = JSON.parse(readFileSync(join(jail.root, "sallyport/node_modules", file), "utf8"))
    expect(purls).toContain(`pkg:npm/${name.replace("@", "%40")}@${version}`)
  }
  // Bundled: into the program, and into the console.
  const names = bill.components.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(["effect", "@effect/sql-pg", "undici", "nodemailer", "react", "node", "openssl"])
  )
  // Only for development.
  for (const name of ["vitest", "typescript", "esbuild"]) expect(names).not.toContain(name)
  expect(read("package.json")).toContain(`"node": "${bill.components.find(({ name }) => name === "node")?.version}"`)
  const licenses = ["dist/licenses.txt", "licenses/packages.txt"].map((file) =>
    readFileSync(join(jail.root, "sallyport", file), "utf8")
  )
  expect(licenses.join()).toMatch(/^effect \d/m)
  expect(licenses.join()).toMatch(/^@node-rs\/argon2 \d/m)
})

test("The line of the image that compiles the bundle ends well, and the compiled code is kept", async () => {
  const [, , ...command]: ReadonlyArray<string> = JSON.parse(instructions("RUN").at(-1) ?? "[]")
  const argument = Object.fromEntries(instructions("ARG").map((line) => line.split("=", 2)))
  expect(await run(command, argument)).toMatchObject({ code: 0 })
  const kept = jail.isClosed ? jail.compiled : join(jail.root, "sallyport/dist/compiled")
  expect(filesBelow(kept).length).toBeGreaterThan(3)
  expect(filesBelow(jail.data)).toEqual([])
})

test("The image starts in test mode with what the guide on tests gives it", async () => {
  const guide = read("docs/guides/test-with-the-clock.md")
  const snippet: Compose = parse(/```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? "")
  const environment = snippet.services.sallyport?.environment ?? {}
  const line = /docker run ([^`]+)`/.exec(guide)?.[1]?.replaceAll("\n", " ") ?? ""
  for (const [name, value] of Object.entries(environment)) expect(line).toContain(` -e ${name}=${value} `)
  const { url, stop } = await start({ ...environment, HOST: "127.0.0.1" })
  const api = new Api(url, environment.SALLYPORT_ROOT_KEY)
  expect((await api.get("/readyz")).status).toBe(200)
  expect(await api.post("/v2/test/clock", { advance: "30 days" })).toMatchObject({ status: 200 })
  await stop()
})

test("Without a database of its own, the image keeps its data in the volume", async () => {
  const { health, stop } = await start({ SALLYPORT_ROOT_KEY: KEY })
  expect(await health()).toEqual({ code: 0, output: "" })
  await stop()
  expect(filesBelow(jail.data).filter((file) => /(?:^|\/)PG_VERSION$/.test(file))).not.toEqual([])
  const away = await health()
  expect(away.code).toBe(1)
  const sentence = /^The service at http:\/\/127\.0\.0\.1:\d+\/readyz is not ready: connect ECONNREFUSED .*\.\n$/
  expect(away.output).toMatch(sentence)
})

test("SEC-229: it runs under the environment of the compose file on PostgreSQL, read-only, secrets from files, and answers", async () => {
  const target = await freshDatabase()
  for (const name of ["sallyport_secret", "sallyport_root_key"]) writeFileSync(join(jail.secrets, name), `${KEY}\n`)
  const given = Object.entries(readCompose("docker-compose.yml").services.sallyport?.environment ?? {})
  const environment = Object.fromEntries(given.map(([name, value]) => [name, withDefaults(value)]))
  const database = target._tag === "Postgres" ? Redacted.value(target.url) : ""
  const { url, health, stop } = await start({ ...environment, DATABASE_URL: database })
  const reply = await new Api(url, KEY).post("/v2/realms", { realm: { name: "Contained", jwt_algo: "hs256" } })
  expect(reply.status).toBe(201)
  // A password is hashed by a native module of the image.
  const user = { user: { email: "ada@example.com", password: "correct horse battery" } }
  expect(await new Api(url, KEY, reply.id).post("/v2/users", user)).toMatchObject({ status: 201 })
  expect(await health()).toEqual({ code: 0, output: "" })
  await stop()
})
