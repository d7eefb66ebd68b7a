import { createHash, X509Certificate } from "node:crypto"
import { existsSync } from "node:fs"
import { chromium } from "playwright-core"
import type { TestProject } from "vitest/node"
import { certificate } from "../support/receivers.ts"
import { freePort } from "./Site.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The addresses of the browsers of the run: one browser for each worker, in the order of `VITEST_POOL_ID`. */
    chromiums: ReadonlyArray<string>
    /** For each of them the port of this machine at which it finds port 443 of every host below `localhost`. */
    securePorts: ReadonlyArray<number>
  }
}

/** Every host of the tests is this machine, and no other is found: nothing leaves it. */
const hosts = (securePort: number) => [
  `MAP *.localhost:443 127.0.0.1:${securePort}`,
  "MAP *.localhost 127.0.0.1",
  "MAP *.example.test 127.0.0.1",
  "EXCLUDE localhost",
  "EXCLUDE 127.0.0.1",
  "MAP * ~NOTFOUND"
]

/** Each window has two pages of the browser's own for its address bar, which take more time than most pages under test. */
const addressBars = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"]

/** What Playwright leaves out, said again: of two such lists the browser reads the last one. */
const leftOut = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "SkipListAccountsWithoutGaiaCookies"
]

/** Its key is that of the secure receivers of the tests. */
const trusted = createHash("sha256")
  .update(new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" }))
  .digest("base64")

const args = (securePort: number) => [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${[...addressBars, ...leftOut].join(",")}`,
  `--ignore-certificate-errors-spki-list=${trusted}`,
  `--host-resolver-rules=${hosts(securePort).join(", ")}`
]

/** Starts a browser for each worker of the run and tells the workers where they are. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium"
  if (!existsSync(executablePath)) throw new Error(`There is no ${executablePath}: CHROMIUM_PATH says where it is.`)
  const securePorts = await Promise.all(Array.from({ length: project.config.maxWorkers }, freePort))
  const start = (port: number) => chromium.launchServer({ executablePath, args: args(port), host: "127.0.0.1" })
  const servers = await Promise.all(securePorts.map(start))
  const addresses = servers.map((server) => server.wsEndpoint())
  project.provide("chromiums", addresses)
  project.provide("securePorts", securePorts)
  return async () => {
    await Promise.all(servers.map((server) => server.close()))
  }
}
