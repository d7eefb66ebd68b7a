import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { Redacted } from "effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import { parse } from "yaml"
import { variables } from "#server/Variables"
import { Api } from "#testing/Api"
import { freshDatabase } from "../../support/databases.ts"
import { bundle } from "../Bundle.ts"

const root = new URL("../../../", import.meta.url).pathname

const read = (name: string) => readFileSync(join(root, name), "utf8")

const dockerfile = read("Dockerfile").replaceAll("\\\n", "")

const instructions = (name: string) =>
  dockerfile.split("\n").flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []))

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build?: string
        readonly image?: string
        readonly ports?: ReadonlyArray<string>
        readonly environment?: Readonly<Record<string, string>>
        readonly secrets?: ReadonlyArray<string>
        readonly depends_on?: Readonly<Record<string, unknown>>
        readonly read_only?: boolean
        readonly volumes?: ReadonlyArray<string>
      }
    >
  >
  readonly volumes: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, { readonly environment: string }>>
}

const compose: Compose = parse(read("docker-compose.yml"))

const known = new Set(variables.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])))

/** The folder of the image: the bundle, and beside it what the image has beside it. */
const image = mkdtempSync(join(tmpdir(), "sallyport-image-"))

beforeAll(async () => {
  const compiled = /[\\/]compiled(?:[\\/]|$)/
  cpSync(dirname(await bundle()), join(image, "dist"), { recursive: true, filter: (path) => !compiled.test(path) })
  for (const name of ["node_modules", "package.json", "sql"]) symlinkSync(join(root, name), join(image, name))
}, 60_000)

afterAll(() => rmSync(image, { recursive: true, force: true }))

test("Every file that the Dockerfile copies from the project exists and is not ignored", () => {
  const ignore = new Set(
    read(".dockerignore")
      .split("\n")
      .filter((line) => line.startsWith("!"))
      .map((line) => line.slice(1))
  )
  const copied = instructions("COPY").filter((line) => !line.startsWith("--from"))
  const sources = copied.flatMap((line) => line.split(/\s+/).slice(0, -1))
  expect(sources.length).toBeGreaterThan(4)
  for (const source of sources) {
    expect(existsSync(join(root, source)), source).toBe(true)
    expect(ignore, source).toContain(source)
  }
})

test("What the image takes from the build stage is made by the build or by npm ci", () => {
  for (const line of instructions("COPY").filter((copy) => copy.startsWith("--from=build"))) {
    const source = line.split(/\s+/)[1]?.replace("/build/", "") ?? ""
    expect(existsSync(join(image, source)), source).toBe(true)
  }
  const command: ReadonlyArray<string> = JSON.parse(instructions("CMD").at(-1) ?? "[]")
  expect(existsSync(join(image, command.at(-1) ?? "none"))).toBe(true)
})

test("The image runs as another user than root, and its health check asks /readyz", () => {
  expect(instructions("USER")).toEqual(["node"])
  expect(instructions("HEALTHCHECK").join()).toContain("/readyz")
})

test("The line of the image that compiles the bundle ends well, and the compiled code is kept", () => {
  const line = instructions("RUN").find((run) => run.includes("dist/sallyport.js")) ?? ""
  const { PATH = "" } = process.env
  const environment = { PATH: `${dirname(process.execPath)}${delimiter}${PATH}` }
  execFileSync("sh", ["-c", line], { cwd: image, env: environment, stdio: "ignore" })
  const kept = readdirSync(join(image, "dist/compiled"), { recursive: true, withFileTypes: true })
  expect(kept.filter((entry) => entry.isFile()).length).toBeGreaterThan(3)
  expect(existsSync(join(image, "data"))).toBe(false)
})

test("Every variable that the container files set is a setting of the service", () => {
  const inImage = instructions("ENV").flatMap((line) => line.split(" ").map((pair) => pair.split("=")[0] ?? ""))
  const inCompose = Object.keys(compose.services.sallyport?.environment ?? {})
  expect(inCompose.length).toBeGreaterThan(3)
  for (const name of [...inImage, ...inCompose]) {
    expect(name === "NODE_ENV" || known.has(name), name).toBe(true)
  }
})

test("docker-compose.yml refers only to services, volumes, secrets and ports that there are", () => {
  const { services, secrets, volumes } = compose
  expect(Object.keys(services)).toEqual(["sallyport", "postgres", "mail"])
  const { sallyport, postgres } = services
  expect(sallyport).toMatchObject({ build: ".", read_only: true })
  expect(sallyport?.secrets).toEqual(Object.keys(secrets))
  for (const secret of Object.keys(secrets)) {
    expect(Object.values(sallyport?.environment ?? {})).toContain(`/run/secrets/${secret}`)
  }
  for (const service of Object.keys(sallyport?.depends_on ?? {})) expect(services).toHaveProperty(service)
  for (const volume of postgres?.volumes ?? []) expect(volumes).toHaveProperty(volume.split(":")[0] ?? "")
  expect(sallyport?.ports).toEqual([`3000:${instructions("EXPOSE")[0]}`])
  const url = new URL(sallyport?.environment?.DATABASE_URL ?? "")
  expect(url.hostname).toBe("postgres")
  expect(postgres?.environment).toEqual({
    POSTGRES_USER: url.username,
    POSTGRES_PASSWORD: url.password,
    POSTGRES_DB: url.pathname.slice(1)
  })
})

/** Starts what the image starts, with the environment that the image and a container have. Returns it with what it prints first. */
const started = async (environment: NodeJS.ProcessEnv, until: string) => {
  const [node, ...words]: ReadonlyArray<string> = JSON.parse(instructions("CMD").at(-1) ?? "[]")
  expect(node).toBe("node")
  const child = spawn(process.execPath, words, { cwd: image, env: { ...environment, PORT: "0", HOST: "127.0.0.1" } })
  let output = ""
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      output += chunk
      if (output.includes(until)) resolve()
    })
    child.stderr.on("data", (chunk) => (output += chunk))
    child.once("close", () => reject(new Error(output)))
  })
  const stop = async () => {
    const closed = once(child, "close")
    child.kill("SIGTERM")
    await closed
    expect(child.exitCode).toBe(0)
  }
  return { url: /ready at (\S+)/.exec(output)?.[1] ?? "", stop }
}

test("The image starts in test mode with what the guide on tests gives it", async () => {
  const guide = read("docs/guides/test-with-the-clock.md")
  const snippet: Compose = parse(/```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? "")
  const environment = snippet.services.sallyport?.environment ?? {}
  const line = /docker run ([^`]+)`/.exec(guide)?.[1]?.replaceAll("\n", " ") ?? ""
  for (const [name, value] of Object.entries(environment)) expect(line).toContain(` -e ${name}=${value} `)
  const { url, stop } = await started(environment, "ready at")
  const api = new Api(url, environment.SALLYPORT_ROOT_KEY)
  expect((await api.get("/readyz")).status).toBe(200)
  expect(await api.post("/v2/test/clock", { advance: "30 days" })).toMatchObject({ status: 200 })
  await stop()
})

test("The bundle runs under the environment of the container, secrets from files, and answers", async () => {
  const target = await freshDatabase()
  const folder = mkdtempSync(join(tmpdir(), "sallyport-"))
  const key = "a-root-key-of-more-than-thirty-two-characters"
  writeFileSync(join(folder, "sallyport_secret"), `${key}\n`)
  writeFileSync(join(folder, "sallyport_root_key"), `${key}\n`)
  const environment = Object.fromEntries(
    Object.entries(compose.services.sallyport?.environment ?? {}).map(([name, value]) => [
      name,
      value.replace("/run/secrets", folder).replace(/\$\{\w+:-(.*)\}/, "$1")
    ])
  )
  const database = target._tag === "Postgres" ? Redacted.value(target.url) : ""
  const { url, stop } = await started({ ...environment, DATABASE_URL: database }, "Create a realm")
  const api = new Api(url, key)
  const reply = await api.post("/v2/realms", { realm: { name: "Contained", jwt_algo: "hs256" } })
  expect(reply.status).toBe(201)
  await stop()
})
