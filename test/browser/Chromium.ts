import { existsSync } from "node:fs"
import { chromium } from "playwright-core"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    /** Where the browser of the run is. */
    chromium: string
  }
}

/** Every host of the tests is this machine, and no other is found: nothing leaves it. */
const hosts = [
  "MAP *.localhost 127.0.0.1",
  "MAP *.example.test 127.0.0.1",
  "EXCLUDE localhost",
  "EXCLUDE 127.0.0.1",
  "MAP * ~NOTFOUND"
]

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--host-resolver-rules=${hosts.join(", ")}`
]

/** Starts the one browser of the whole run and tells its worker where it is. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium"
  if (!existsSync(executablePath)) throw new Error(`There is no ${executablePath}: CHROMIUM_PATH says where it is.`)
  const server = await chromium.launchServer({ executablePath, args, host: "127.0.0.1" })
  project.provide("chromium", server.wsEndpoint())
  return () => server.close()
}
