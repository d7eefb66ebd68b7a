import { createHash, X509Certificate } from "node:crypto"
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"
import { certificate } from "../support/receivers.ts"
import { freePort } from "./Site.ts"

/** A browser with the port of this machine at which it finds port 443 of every host below `localhost`. */
export interface OwnBrowser {
  readonly browser: Browser
  readonly securePort: number
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

/**
 * Where Chromium is. As `chromium-headless-shell`, without windows, it is the same engine, and a page load takes half of the processor
 * time: the other draws an address bar and tabs that nobody sees, and keeps a process ready for each page to come.
 */
const places = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]

const start = async (): Promise<OwnBrowser> => {
  const executablePath = process.env.CHROMIUM_PATH ?? places.find((place) => existsSync(place))
  if (executablePath === undefined)
    throw new Error(`There is none of ${places.join(", ")}: CHROMIUM_PATH says where it is.`)
  const securePort = await freePort()
  return { browser: await chromium.launch({ executablePath, args: args(securePort) }), securePort }
}

let started: Promise<OwnBrowser> | undefined

/** The browser of this worker, which ends with it. In another process, each message of the browser would be read and written once more. */
export const ownBrowser = (): Promise<OwnBrowser> => (started ??= start())
