import { createHash, X509Certificate } from "node:crypto"
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"
import { certificate } from "../support/receivers.ts"
import { freePort } from "./Site.ts"

/** A browser, and the local port to which it sends port 443 of every host below `localhost`. */
export interface OwnBrowser {
  readonly browser: Browser
  readonly securePort: number
}

/** Resolves every test host to this machine and no other host, so that nothing leaves it. */
const hostRules = (securePort: number) => [
  `MAP *.localhost:443 127.0.0.1:${securePort}`,
  "MAP *.localhost 127.0.0.1",
  "MAP *.example.test 127.0.0.1",
  "EXCLUDE localhost",
  "EXCLUDE 127.0.0.1",
  "MAP * ~NOTFOUND"
]

/** Chromium's own pages for the address bar, two per window. They take more time than most pages under test. */
const addressBars = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"]

/** The features Playwright disables, repeated because the browser only reads the last list. */
const playwrightDisabled = [
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

/** The public key hash of the tests' HTTPS receivers. */
const trustedKeyHash = createHash("sha256")
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
  `--disable-features=${[...addressBars, ...playwrightDisabled].join(",")}`,
  `--ignore-certificate-errors-spki-list=${trustedKeyHash}`,
  `--host-resolver-rules=${hostRules(securePort).join(", ")}`
]

/**
 * The possible paths of Chromium. `chromium-headless-shell` is the same engine without windows and loads pages in half the
 * processor time: no invisible address bar and tabs, no spare process per page.
 */
const chromiumPaths = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]

const start = async (): Promise<OwnBrowser> => {
  const executablePath = process.env.CHROMIUM_PATH ?? chromiumPaths.find((place) => existsSync(place))
  if (executablePath === undefined)
    throw new Error(`Found no Chromium at ${chromiumPaths.join(", ")}. Set CHROMIUM_PATH to its location.`)
  const securePort = await freePort()
  return { browser: await chromium.launch({ executablePath, args: args(securePort) }), securePort }
}

let started: Promise<OwnBrowser> | undefined

/**
 * The worker's browser, which closes with it. In a separate process, each browser message would be parsed and
 * serialized once more.
 */
export const ownBrowser = (): Promise<OwnBrowser> => (started ??= start())
