import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { haproxyVersion, makeCertificate } from "../../resilience/rolling/Proxy.ts"
import { textsOf } from "./Dockerfiles.ts"
import { imageStage, read, readCompose, root } from "./Files.ts"

const path = "deploy/haproxy/haproxy.cfg"
const config = read(path)

const { services } = readCompose("deploy/compose/three-nodes.yml")

/** The words of the lines that start with one of these words, without comments. */
const lines = (...begin: ReadonlyArray<string>): ReadonlyArray<string> =>
  config
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith(`${begin.join(" ")} `))

const millis = (text: string | undefined): number => {
  const [, amount, unit] = /^(\d+)(ms|s)$/.exec(text ?? "") ?? []
  return Number(amount) * (unit === "s" ? 1_000 : 1)
}

const timeout = (name: string): number => millis(lines("timeout", name)[0]?.split(/\s+/).at(-1))

/** A timeout of the service's own server, in milliseconds. */
const ofServer = (name: string): number =>
  Number(new RegExp(`${name}: ([\\d_]+)`).exec(read("src/server/WebServer.ts"))?.[1]?.replaceAll("_", ""))

/** The default values of the environment variables, by name. */
const defaults = new Map(
  [...config.matchAll(/"\$\{(\w+)-([^}]*)\}"/g)].map(([, name = "", value = ""]) => [name, value])
)

describe("the HAProxy configuration", () => {
  test("forwards to the nodes of the compose file, at the image's port", () => {
    const servers = lines("server").map((line) => /"\$\{\w+-([^}]+)\}"/.exec(line)?.[1])
    const nodes = Object.keys(services).filter((name) => services[name]?.image?.startsWith("sallyport:"))
    expect(servers).toEqual(nodes.map((name) => `${name}:${textsOf(imageStage, "EXPOSE")[0]}`))
  })

  test("listens at the ports of the compose file, with the certificate from that file", () => {
    const published = services.haproxy?.ports?.map((port) => `:${port.split(":")[1]}`)
    expect(published).toEqual([defaults.get("HAPROXY_HTTP"), defaults.get("HAPROXY_HTTPS")])
    expect(services.haproxy?.secrets?.map((name) => `/run/secrets/${name}`)).toEqual([
      defaults.get("HAPROXY_CERTIFICATE")
    ])
  })

  test("checks readiness, and removes a node that is shutting down while the node still serves requests", () => {
    const [, uri] = /http-check send meth GET uri (\S+)/.exec(config) ?? []
    expect(read("src/http/operations/Health.ts")).toContain(`"${uri}"`)
    expect(lines("http-check", "expect")).toEqual(["http-check expect status 200"])
    const server = lines("default-server")[0] ?? ""
    const value = (name: string) => new RegExp(` ${name} (\\S+)`).exec(server)?.[1]
    const until = millis(value("inter")) + (Number(value("fall")) - 1) * millis(value("fastinter"))
    const drain = /DRAIN = "(\d+) seconds"/.exec(read("src/server/Run.ts"))?.[1]
    expect(until).toBeGreaterThan(0)
    expect(until).toBeLessThan(Number(drain) * 1_000)
  })

  test("has shorter timeouts than the service for idle clients, and longer timeouts for pending requests", () => {
    expect(timeout("http-keep-alive")).toBeLessThan(ofServer("keepAliveTimeout"))
    expect(timeout("http-request")).toBe(ofServer("headersTimeout"))
    expect(timeout("server")).toBeGreaterThan(30_000)
    expect(timeout("client")).toBeGreaterThan(30_000)
  })

  test("never repeats a write that a node may have started", () => {
    expect(lines("retry-on")).toEqual(["retry-on conn-failure empty-response"])
    expect(lines("http-request", "disable-l7-retry")).toEqual([
      "http-request disable-l7-retry unless { method GET HEAD OPTIONS } or { req.hdr(idempotency-key) -m found }"
    ])
  })

  test("responds like the service when no node is ready", () => {
    const [, body = "", headers] =
      /^ +http-error status 503 content-type application\/json string '([^']+)' (.+)$/m.exec(config) ?? []
    const message = "No node of the service takes requests now. Try again in a moment."
    expect(JSON.parse(body)).toEqual({
      errors: [message],
      error_details: [{ field: null, code: "unavailable", message }]
    })
    expect(headers).toBe("hdr Retry-After 1 hdr Cache-Control no-store")
    expect(config.indexOf("http-error")).toBeLessThan(config.indexOf("\nresolvers "))
  })

  // `.ci/run` installs HAProxy if it can.
  test.skipIf(haproxyVersion() === undefined)("is valid for HAProxy, if HAProxy is installed", () => {
    const folder = mkdtempSync(join(tmpdir(), "sallyport-haproxy-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    makeCertificate(folder)
    const nodes = [1, 2, 3].map((index) => [`HAPROXY_NODE_${index}`, `127.0.0.1:300${index}`])
    const env = {
      PATH: process.env["PATH"],
      HAPROXY_CERTIFICATE: join(folder, "certificate.pem"),
      ...Object.fromEntries(nodes)
    }
    const { status, stdout, stderr } = spawnSync("haproxy", ["-c", "-f", join(root, path)], { env, encoding: "utf8" })
    expect(stdout + stderr).not.toMatch(/\[(?:WARNING|ALERT)\]/)
    expect(status).toBe(0)
  })
})
