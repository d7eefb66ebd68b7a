import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout } from "node:timers/promises"
import { freePort } from "../../test/harness/Servers.ts"

const config = new URL("../../deploy/haproxy/haproxy.cfg", import.meta.url).pathname

/** HAProxy, configured as in `deploy`, in front of nodes on this machine. */
export interface Proxy {
  readonly version: string
  readonly port: number
  /** The certificate that clients trust. */
  readonly certificate: string
  /** The number of requests that each server handled and the number that HAProxy retried, according to HAProxy's log. */
  readonly answered: ReadonlyMap<string, number>
  readonly retried: () => number
  readonly stop: () => Promise<void>
}

/** The end of a line in HAProxy's `httplog` format: the server, and the number of retries. */
const REQUEST = / nodes\/(\S+) \S+ -?\d+ .*? \d+\/\d+\/\d+\/\d+\/\+?(\d+) /

/** The version of HAProxy on this machine, or undefined if it is not installed. */
export const haproxyVersion = (): string | undefined => {
  const { stdout, status } = spawnSync("haproxy", ["-v"], { encoding: "utf8" })
  return status === 0 ? /version (\S+)/.exec(stdout)?.[1] : undefined
}

/**
 * Creates a certificate for `localhost` in a folder, as `certificate.pem`, together with its key in HAProxy's format.
 * Returns the certificate without the key.
 */
export const makeCertificate = (folder: string): string => {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")]
  const words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost"
  const files = ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate]
  const { status, stderr } = spawnSync("openssl", [...words.split(" "), ...files], { encoding: "utf8" })
  if (status !== 0) throw new Error(`openssl: ${stderr}`)
  const text = readFileSync(certificate, "utf8")
  writeFileSync(certificate, text + readFileSync(key, "utf8"))
  return text
}

/** Starts HAProxy, and waits until it has found all nodes ready. */
export const startProxy = async (ports: ReadonlyArray<number>, folder: string): Promise<Proxy> => {
  const version = haproxyVersion()
  if (version === undefined) throw new Error("This needs HAProxy 2.6 or later (Debian: apt-get install haproxy).")
  const certificate = makeCertificate(folder)
  const [http, port] = [await freePort(), await freePort()]
  const env = {
    PATH: process.env.PATH,
    HAPROXY_HTTP: `127.0.0.1:${http}`,
    HAPROXY_HTTPS: `127.0.0.1:${port}`,
    HAPROXY_CERTIFICATE: join(folder, "certificate.pem"),
    ...Object.fromEntries(ports.map((node, index) => [`HAPROXY_NODE_${index + 1}`, `127.0.0.1:${node}`])),
    // These nodes have no operators' port.
    ...Object.fromEntries(ports.map((node, index) => [`HAPROXY_CHECK_PORT_${index + 1}`, String(node)]))
  }
  const child = spawn("haproxy", ["-db", "-f", config], { env, stdio: ["ignore", "pipe", "pipe"] })
  process.once("exit", () => child.kill("SIGKILL"))
  const answered = new Map<string, number>()
  let retried = 0
  createInterface(child.stdout).on("line", (line) => {
    const [, server = "", retries = "0"] = REQUEST.exec(line) ?? []
    if (server === "") return
    answered.set(server, (answered.get(server) ?? 0) + 1)
    retried += Number(retries)
  })
  let output = ""
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()))
  await setTimeout(1_500)
  if (child.exitCode !== null) throw new Error(`HAProxy exited: ${output}`)
  const stop = async () => {
    const closed = once(child, "close")
    child.kill("SIGTERM")
    await closed
  }
  return { version, port, certificate, answered, retried: () => retried, stop }
}
