import { expect, it } from "@effect/vitest"
import { browserNameOf } from "#domain/BrowserName"
import { UnicodeText } from "../support/arbitraries.ts"

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36`, "Chrome", "Windows"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/130.0.0.0 Safari/537.36`, "Chrome", "Linux"],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`,
    "Edge",
    "Windows"
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36 OPR/115.0.0.0`, "Opera", "Linux"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox", "macOS"],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/130.0.0.0 Mobile Safari/537.36`, "Chrome", "Android"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1",
    "Safari",
    "iPhone"
  ],
  ["Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/130.0 Safari/604.1", "Chrome", "iPad"],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36`, "Chrome", "ChromeOS"],
  ["curl/8.5.0", "curl", undefined],
  ["laptop", "laptop", undefined],
  ["Mozilla/5.0", undefined, undefined],
  ["", undefined, undefined],
  [null, undefined, undefined]
])("names the browser and system of %s", (agent, browser, system) => {
  expect(browserNameOf(agent)).toEqual({ browser, system })
})

it.prop("returns a short name for any user agent", [UnicodeText], ([agent]) => {
  expect((browserNameOf(agent).browser ?? "").length).toBeLessThanOrEqual(40)
})
