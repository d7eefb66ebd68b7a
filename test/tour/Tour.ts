import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { Given } from "#testing/Given"
import { start, stopAll, timeToFirstResponse } from "../../bench/harness/Servers.ts"
import { apiKeys, authProviders, connectedApps, events, hooks, jwtKeys, notifications } from "./BothVersions.ts"
import { startExternalStub } from "./ExternalStub.ts"
import { hostedLogin } from "./HostedLogin.ts"
import { OperationCoverage } from "./OperationCoverage.ts"
import { version1 } from "./Version1.ts"
import { version2 } from "./Version2.ts"

// A service given by SALLYPORT_URL must allow private targets, because hooks and the provider point to this machine.
const { SALLYPORT_URL: givenUrl, SALLYPORT_KEY: givenKey } = process.env

/** Starts a service with an in-memory database. Returns its URL and root key. */
const ownService = async () => {
  const key = randomBytes(24).toString("hex")
  const environment = { DATABASE_URL: "memory://", SALLYPORT_ROOT_KEY: key, SALLYPORT_ALLOW_PRIVATE_TARGETS: "true" }
  const file = resolve(import.meta.dirname, "../../src/server/main.ts")
  const server = await start({ name: "service", file, environment })
  await timeToFirstResponse(server, "/readyz")
  return { url: `http://127.0.0.1:${server.port}`, key }
}

const began = performance.now()
const coverage = new OperationCoverage()
const stub = await startExternalStub()
try {
  const { url, key } = givenUrl === undefined ? await ownService() : { url: givenUrl, key: givenKey ?? "" }
  const given = new Given(url.replace(/\/$/, ""), key)
  const realm = await given.realm({ name: "Tour" })
  await version2(coverage, given, realm, stub)
  await connectedApps(coverage, realm, "v2")
  await jwtKeys(coverage, realm, "v2")
  await hooks(coverage, realm, "v2", stub)
  await authProviders(coverage, realm, "v2", stub)
  await apiKeys(coverage, realm, "v2")
  await events(coverage, realm, "v2")
  await notifications(coverage, given, stub)
  await version1(coverage, given, realm, stub)
  await authProviders(coverage, realm, "v1", stub)
  await apiKeys(coverage, realm, "v1")
  await events(coverage, realm, "v1")
  await hostedLogin(coverage, given, stub)
  await given.root.delete(`/v2/realms/${realm.id}`)
} catch (error) {
  coverage.problems.push(error instanceof Error ? error.message : String(error))
} finally {
  stub.close()
  stopAll()
}

const seconds = ((performance.now() - began) / 1_000).toFixed(1)
const { problems, missing, called } = coverage
console.log(
  `\n${called} operations in ${seconds} s: ${problems.length} unexpected answers, ${missing.length} not called.`
)
for (const problem of problems) console.log(`  ${problem}`)
for (const name of missing) console.log(`  not called: ${name}`)
if (problems.length + missing.length > 0) process.exitCode = 1
