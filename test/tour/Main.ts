import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { Given } from "#testing/Given"
import { start, stopAll, timeToFirstResponse } from "../harness/Servers.ts"
import { tour } from "./Tour.ts"

// A service given by SALLYPORT_URL must allow private targets, because hooks and the provider point to this machine.
const { SALLYPORT_URL: givenUrl, SALLYPORT_KEY: givenKey } = process.env

/** Starts a service with an in-memory database. Returns its URL and root key. */
const ownService = async () => {
  const key = randomBytes(24).toString("hex")
  const environment = { DATABASE_URL: "memory://", SALLYPORT_ROOT_KEY: key, SALLYPORT_ALLOW_PRIVATE_TARGETS: "true" }
  const file = resolve(import.meta.dirname, "../../src/cli/main.ts")
  const server = await start({ name: "service", file, environment })
  await timeToFirstResponse(server, "/readyz")
  return { url: `http://127.0.0.1:${server.port}`, key }
}

const began = performance.now()
try {
  const { url, key } = givenUrl === undefined ? await ownService() : { url: givenUrl, key: givenKey ?? "" }
  const { problems, missing, called } = await tour(new Given(url.replace(/\/$/, ""), key), console.log)
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(
    `\n${called} operations in ${seconds} s: ${problems.length} unexpected answers, ${missing.length} not called.`
  )
  for (const problem of problems) console.log(`  ${problem}`)
  for (const name of missing) console.log(`  not called: ${name}`)
  if (problems.length + missing.length > 0) process.exitCode = 1
} finally {
  stopAll()
}
