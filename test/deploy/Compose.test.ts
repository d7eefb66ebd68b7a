import { execFileSync } from "node:child_process"
import { X509Certificate } from "node:crypto"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { inspectSettings } from "#server/Config"
import { textsOf } from "./Dockerfiles.ts"
import {
  type Compose,
  imageEnvironment,
  imageStage,
  problemsOf,
  read,
  readCompose,
  root,
  withDefaults
} from "./Files.ts"

const KEY = "a-key-of-more-than-thirty-two-characters"

const secrets = {
  sallyport_secret: KEY,
  sallyport_root_key: KEY,
  database_url: "postgres://sallyport:secret@postgres:5432,standby:5432/sallyport",
  replica_url: "postgres://sallyport:secret@standby:5432/sallyport"
}

const files = [
  ["docker-compose.yml", ["sallyport"]],
  ["deploy/compose/small.yml", ["sallyport"]],
  ["deploy/compose/three-nodes.yml", ["node1", "node2", "node3"]]
] as const

const keysOf = (listed: ReadonlyArray<string> | Readonly<Record<string, unknown>> = []): ReadonlyArray<string> =>
  Array.isArray(listed) ? listed : Object.keys(listed)

/** The repository path of a file that a compose file names relative to itself. */
const beside = (file: string, path: string): string => join(root, file, "..", path)

/** The named volumes and repository files, with their mount points in a container. */
const mounts = ({ services }: Compose) =>
  Object.values(services).flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(":")))

describe.each(files)("%s", (file, nodes) => {
  const compose = readCompose(file)
  const { services, networks = {} } = compose

  test("refers only to existing services, volumes, networks, secrets and files", () => {
    for (const [name, service] of Object.entries(services)) {
      for (const other of keysOf(service.depends_on)) expect(services, name).toHaveProperty([other])
      for (const network of keysOf(service.networks)) expect(networks, name).toHaveProperty([network])
      for (const secret of service.secrets ?? []) expect(compose.secrets, name).toHaveProperty([secret])
      const given = Object.values(service.environment ?? {}).filter((value) => value.startsWith("/run/secrets/"))
      for (const path of given) expect(service.secrets, name).toContain(path.slice("/run/secrets/".length))
      if (service.build !== undefined)
        expect(existsSync(join(beside(file, service.build), "Dockerfile")), name).toBe(true)
    }
    for (const [source = ""] of mounts(compose)) {
      if (source.startsWith(".")) expect(existsSync(beside(file, source)), source).toBe(true)
      else expect(compose.volumes).toHaveProperty([source])
    }
    const used = Object.values(services).flatMap((service) => service.secrets ?? [])
    expect(Object.keys(compose.secrets).filter((secret) => !used.includes(secret))).toEqual([])
  })

  test("SEC-229: starts nodes with valid settings in read-only containers", async () => {
    for (const name of nodes) {
      const node = services[name]
      const { NODE_ENV: _, PATH: __, ...own } = imageEnvironment()
      expect(await problemsOf({ ...own, ...node?.environment }, "/run/secrets", secrets)).toEqual([])
      expect(node).toMatchObject({ read_only: true, cap_drop: ["ALL"], stop_grace_period: "30s" })
      expect(node?.security_opt).toEqual(["no-new-privileges:true"])
    }
    const others = Object.entries(services).filter(([name]) => !nodes.some((node) => node === name))
    for (const [name, { cap_drop }] of others) expect(cap_drop, name).toEqual(["ALL"])
  })
})

test("runs the image of this release on every node whose file doesn't build an image", () => {
  const { version }: { readonly version: string } = JSON.parse(read("package.json"))
  for (const [file, nodes] of files) {
    for (const { build, image } of nodes.map((name) => readCompose(file).services[name] ?? {}))
      expect(build ?? image).toBe(build === undefined ? `sallyport:${version}` : ".")
  }
})

test("shows emails in the service's own mailbox where no mail server is configured", async () => {
  for (const [file, nodes] of files) {
    for (const name of nodes) {
      const { environment = {} } = readCompose(file).services[name] ?? {}
      const own = Object.entries(environment).filter(([key]) => !key.endsWith("_FILE"))
      const shown = {
        ...Object.fromEntries(own),
        ...(file.endsWith("small.yml") ? {} : { DATABASE_URL: "postgres://x/y" })
      }
      const { settings } = Effect.runSync(inspectSettings(shown))
      expect([file, name, settings.mailbox, settings.smtpUrl]).toEqual([file, name, true, undefined])
    }
  }
})

test("contains no passwords or keys", () => {
  for (const [file] of files) {
    for (const { environment = {} } of Object.values(readCompose(file).services)) {
      const secret = Object.entries(environment).filter(
        ([name, value]) =>
          /PASSWORD|SECRET|KEY|DATABASE_.*URL|DATABASE_URL/.test(name) && !value.startsWith("/run/secrets/")
      )
      expect([file, secret]).toEqual([file, []])
    }
  }
})

describe("the single node on PostgreSQL", () => {
  const { services, secrets: declared } = readCompose("docker-compose.yml")

  test("uses the image's port and PostgreSQL's database", () => {
    const { sallyport, postgres } = services
    expect(sallyport?.ports).toEqual([`3000:${textsOf(imageStage, "EXPOSE")[0]}`])
    expect(postgres?.environment).toEqual({
      POSTGRES_USER: "sallyport",
      POSTGRES_PASSWORD_FILE: "/run/secrets/postgres_password",
      POSTGRES_DB: "sallyport"
    })
  })

  test("gets its secrets from the files that its instructions create", () => {
    const folder = mkdtempSync(join(tmpdir(), "sallyport-secrets-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const commands = [...read("docker-compose.yml").matchAll(/^# {3}((?:mkdir|openssl|echo|chmod) .*)$/gm)]
    execFileSync("sh", ["-c", commands.map(([, command]) => command).join("\n")], { cwd: folder })
    const contents = Object.fromEntries(
      Object.entries(declared).map(([name, { file = "" }]) => [name, readFileSync(join(folder, file), "utf8").trim()])
    )
    const { database_url: url = "", ...others } = contents
    for (const [name, content] of Object.entries(others))
      expect([name, content]).toEqual([name, expect.stringMatching(/^[\da-f]{64}$/)])
    const { username, password, host, pathname } = new URL(url)
    expect([username, host, pathname]).toEqual(["sallyport", "postgres:5432", "/sallyport"])
    expect(password).toBe(others["postgres_password"])
    expect(new Set(Object.values(others)).size).toBe(3)
    expect(read(".gitignore")).toContain("\n/secrets/\n")
  })

  test("is started by the commands in CONTRIBUTING.md", () => {
    const [, script = ""] =
      /```sh\n(mkdir -m 700 secrets[\s\S]*?)docker compose up --build\n```/.exec(read("CONTRIBUTING.md")) ?? []
    const folder = mkdtempSync(join(tmpdir(), "sallyport-secrets-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    execFileSync("sh", ["-c", script], { cwd: folder })
    for (const { file = "" } of Object.values(declared)) expect(existsSync(join(folder, file)), file).toBe(true)
  })
})

describe("the small server", () => {
  const { services, secrets: declared } = readCompose("deploy/compose/small.yml")

  test("stores its data where the image does, and is reachable only through Caddy", () => {
    const { sallyport, caddy } = services
    expect(sallyport?.volumes).toEqual([`data:${imageEnvironment().SALLYPORT_DATA_DIR}`])
    expect([sallyport?.ports, caddy?.ports]).toEqual([undefined, ["80:80", "443:443"]])
    const networks = caddy?.networks
    const address = networks !== undefined && "proxy" in networks ? networks.proxy?.ipv4_address : undefined
    expect(sallyport?.environment?.SALLYPORT_TRUSTED_PROXIES).toBe(address)
    expect(read("deploy/caddy/Caddyfile")).toContain(`reverse_proxy sallyport:${textsOf(imageStage, "EXPOSE")[0]}\n`)
  })

  test("gets its secrets from the files that its instructions create", () => {
    const text = read("deploy/compose/small.yml")
    for (const [name, { file }] of Object.entries(declared)) {
      expect(file).toBe(`./secrets/${name}`)
      expect(text).toContain(`openssl rand -hex 32 > secrets/${name}`)
    }
  })
})

describe("the three nodes", () => {
  const { services, secrets: declared } = readCompose("deploy/compose/three-nodes.yml")
  const prepare = read("deploy/compose/prepare.sh")

  test("trust only HAProxy's address as a proxy", () => {
    const networks = services.haproxy?.networks
    const address = networks !== undefined && "nodes" in networks ? networks.nodes?.ipv4_address : undefined
    expect(services.node1?.environment?.SALLYPORT_TRUSTED_PROXIES).toBe(address)
    expect(address).toMatch(/^[\d.]+$/)
    // The nodes are reachable only through HAProxy.
    for (const name of ["node1", "node2", "node3", "postgres", "standby"]) expect(services[name]?.ports).toBeUndefined()
  })

  test("get every secret from the files that prepare.sh writes", () => {
    for (const [name, { file }] of Object.entries(declared)) {
      expect(file).toBe(`./secrets/${name}`)
      expect(prepare).toContain(`secrets/${name}`)
    }
    expect(read(".gitignore")).toContain("deploy/compose/secrets/")
    const { POSTGRES_USER, POSTGRES_DB } = services.postgres?.environment ?? {}
    const at = (hosts: string) => `"postgres://${POSTGRES_USER}:$database_password@${hosts}/${POSTGRES_DB}"`
    expect(prepare).toContain(`${at("postgres:5432,standby:5432")} > secrets/database_url`)
    expect(prepare).toContain(`${at("standby:5432")} > secrets/replica_url`)
    expect(Object.keys(services)).toEqual(expect.arrayContaining(["postgres", "standby"]))
  })

  test("have a certificate for the service and for its apps' login pages", () => {
    const folder = mkdtempSync(join(tmpdir(), "sallyport-certificate-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    cpSync(join(root, "deploy/compose/prepare.sh"), join(folder, "prepare.sh"))
    execFileSync("sh", [join(folder, "prepare.sh")])
    const certificate = new X509Certificate(readFileSync(join(folder, "secrets/certificate")))
    const { hostname } = new URL(withDefaults(services.node1?.environment?.SALLYPORT_PUBLIC_URL ?? ""))
    const { settings } = Effect.runSync(inspectSettings({}))
    const loginHost = `notes.${settings.region}.${settings.loginDomain}`
    for (const host of [hostname, loginHost]) expect(certificate.checkHost(host), host).toBeDefined()
    expect(certificate.checkHost("example.com")).toBeUndefined()
  })

  test("commit on a standby with the name, slot and role that the primary expects", () => {
    const [primary, standby] = ["primary", "standby"].map((name) => read(`deploy/compose/postgres/${name}.sh`))
    const named = /synchronous_standby_names = '(\w+)'/.exec(primary ?? "")?.[1]
    const [, host, role, application] = /host=(\w+) user=(\w+) application_name=(\w+)/.exec(standby ?? "") ?? []
    expect(application).toBe(named)
    expect(services).toHaveProperty([host ?? ""])
    expect(primary).toContain(`create role ${role} login replication`)
    expect(primary).toContain(`host replication ${role} `)
    expect(standby).toContain(`--slot=${/create_physical_replication_slot\('(\w+)'\)/.exec(primary ?? "")?.[1]} `)
    const [script = ""] = services.standby?.entrypoint?.slice(-1) ?? []
    expect(services.standby?.volumes).toContain(`./postgres/standby.sh:${script}:ro`)
  })

  test("include syntactically valid shell scripts", () => {
    for (const path of ["prepare.sh", "postgres/primary.sh", "postgres/standby.sh"]) {
      execFileSync("sh", ["-n", join(root, "deploy/compose", path)])
    }
  })
})
