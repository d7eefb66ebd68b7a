import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Redacted } from "effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import { parse } from "yaml"
import { Api } from "#testing/Api"
import { assembleImage } from "../../../build/Container.ts"
import { variablesOf, wordsOf } from "../../deploy/Dockerfiles.ts"
import { type Compose, imageStage, read, readCompose, root, withDefaults } from "../../deploy/Files.ts"
import { freshDatabase } from "../../support/databases.ts"
import { bundle } from "../Bundle.ts"
import { type Container, container } from "./ImageRuns.ts"
import { type Jail, makeJail } from "./Jail.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"

let jail: Jail
let run: Container["run"]
let start: Container["start"]

beforeAll(async () => {
  const dist = join(await bundle(), "..")
  jail = makeJail((folder) => assembleImage(root, dist, folder))
  const image = container(imageStage, jail.run)
  run = image.run
  start = image.start
}, 180_000)

afterAll(() => jail?.remove())

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))

test("SEC-229: contains only Node, its libraries, the program and the user database", () => {
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

test("lists the image's contents in its bill of materials and licenses", () => {
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
  // Packages bundled into the program or the console.
  const names = bill.components.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(["effect", "@effect/sql-pg", "undici", "nodemailer", "react", "node", "openssl"])
  )
  // Packages needed only for development.
  for (const name of ["vitest", "typescript", "esbuild"]) expect(names).not.toContain(name)
  expect(read("package.json")).toContain(`"node": "${bill.components.find(({ name }) => name === "node")?.version}"`)
  const licenses = ["dist/licenses.txt", "licenses/packages.txt"].map((file) =>
    readFileSync(join(jail.root, "sallyport", file), "utf8")
  )
  expect(licenses.join()).toMatch(/^effect \d/m)
  expect(licenses.join()).toMatch(/^@node-rs\/argon2 \d/m)
})

test("compiles the bundle in the image's build step and ships the compiled code", async () => {
  const [, , ...command] = wordsOf(imageStage, "RUN")
  expect(await run(command, variablesOf(imageStage, "ARG"))).toMatchObject({ code: 0 })
  const compiledFolder = jail.isClosed ? jail.compiled : join(jail.root, "sallyport/dist/compiled")
  expect(filesBelow(compiledFolder).length).toBeGreaterThan(3)
  expect(filesBelow(jail.data)).toEqual([])
})

test("starts in test mode with the settings from the testing guide", async () => {
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

test("stores the data in the volume when no external database is configured", async () => {
  const { health, stop } = await start({ SALLYPORT_ROOT_KEY: KEY })
  expect(await health()).toEqual({ code: 0, output: "" })
  await stop()
  expect(filesBelow(jail.data).filter((file) => /(?:^|\/)PG_VERSION$/.test(file))).not.toEqual([])
  const away = await health()
  expect(away.code).toBe(1)
  const sentence = /^The service at http:\/\/127\.0\.0\.1:\d+\/readyz is not ready: connect ECONNREFUSED .*\.\n$/
  expect(away.output).toMatch(sentence)
})

test("SEC-229: runs with the compose file's environment on PostgreSQL, with secrets from files", async () => {
  const target = await freshDatabase()
  for (const name of ["sallyport_secret", "sallyport_root_key"]) writeFileSync(join(jail.secrets, name), `${KEY}\n`)
  const given = Object.entries(readCompose("docker-compose.yml").services.sallyport?.environment ?? {})
  const environment = Object.fromEntries(given.map(([name, value]) => [name, withDefaults(value)]))
  const database = target._tag === "Postgres" ? Redacted.value(target.url) : ""
  writeFileSync(join(jail.secrets, "database_url"), `${database}\n`)
  const { url, health, stop } = await start(environment)
  const reply = await new Api(url, KEY).post("/v2/realms", { realm: { name: "Contained", jwt_algo: "hs256" } })
  expect(reply.status).toBe(201)
  // A native module of the image hashes the password.
  const user = { user: { email: "ada@example.com", password: "correct horse battery" } }
  expect(await new Api(url, KEY, reply.id).post("/v2/users", user)).toMatchObject({ status: 201 })
  expect(await health()).toEqual({ code: 0, output: "" })
  await stop()
})
