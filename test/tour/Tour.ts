import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { Given } from "#testing/Given"
import { firstAnswer, start, stopAll } from "../../bench/harness/Servers.ts"
import { apiKeys, authProviders, connectedApps, events, hooks, jwtKeys, notifications } from "./BothVersions.ts"
import { startPeer } from "./ExternalStub.ts"
import { hostedLogin } from "./HostedLogin.ts"
import { Walk } from "./OperationCoverage.ts"
import { version1 } from "./Version1.ts"
import { version2 } from "./Version2.ts"

// A service that runs elsewhere has to allow private targets: hooks and a provider lead to this machine.
const { SALLYPORT_URL: given, SALLYPORT_KEY: givenKey } = process.env

/** A service that keeps nothing, in a process of its own; where it is, and its root key. */
const ownService = async () => {
  const key = randomBytes(24).toString("hex")
  const environment = { DATABASE_URL: "memory://", SALLYPORT_ROOT_KEY: key, SALLYPORT_ALLOW_PRIVATE_TARGETS: "true" }
  const file = resolve(import.meta.dirname, "../../src/server/main.ts")
  const server = await start({ name: "service", file, environment })
  await firstAnswer(server, "/readyz")
  return { url: `http://127.0.0.1:${server.port}`, key }
}

const began = performance.now()
const walk = new Walk()
const peer = await startPeer()
try {
  const { url, key } = given === undefined ? await ownService() : { url: given, key: givenKey ?? "" }
  const house = new Given(url.replace(/\/$/, ""), key)
  const realm = await house.realm({ name: "Tour" })
  await version2(walk, house, realm, peer)
  await connectedApps(walk, realm, "v2")
  await jwtKeys(walk, realm, "v2")
  await hooks(walk, realm, "v2", peer)
  await authProviders(walk, realm, "v2", peer)
  await apiKeys(walk, realm, "v2")
  await events(walk, realm, "v2")
  await notifications(walk, house, peer)
  await version1(walk, house, realm, peer)
  await authProviders(walk, realm, "v1", peer)
  await apiKeys(walk, realm, "v1")
  await events(walk, realm, "v1")
  await hostedLogin(walk, house, peer)
  await house.root.delete(`/v2/realms/${realm.id}`)
} catch (error) {
  walk.problems.push(error instanceof Error ? error.message : String(error))
} finally {
  peer.close()
  stopAll()
}

const seconds = ((performance.now() - began) / 1_000).toFixed(1)
const { problems, left, visited } = walk
console.log(
  `\n${visited} operations in ${seconds} s: ${problems.length} unexpected answers, ${left.length} not visited.`
)
for (const problem of problems) console.log(`  ${problem}`)
for (const name of left) console.log(`  not visited: ${name}`)
if (problems.length + left.length > 0) process.exitCode = 1
