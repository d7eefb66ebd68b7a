/** Patterns that identify browsers by their user agent. The first match wins: most browsers also name those they are based on. */
const browsers: ReadonlyArray<readonly [sign: RegExp, name: string]> = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\/|\bOPiOS\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\b(?:Headless)?Chrome\/|\bCriOS\/|\bChromium\//, "Chrome"],
  [/\bSafari\//, "Safari"]
]

const systems: ReadonlyArray<readonly [sign: RegExp, name: string]> = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b|\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"]
]

const nameIn = (names: typeof browsers, agent: string): string | undefined =>
  names.find(([sign]) => sign.test(agent))?.[1]

/** The maximum length of a program name taken from a user agent. */
const MAX_NAME_LENGTH = 40

/** The common names of the browser and operating system in a user agent. */
export interface BrowserName {
  readonly browser: string | undefined
  readonly system: string | undefined
}

/** The browser and operating system named in a user agent. Programs that are not browsers are identified by the first word. */
export const browserNameOf = (agent: string | null): BrowserName => {
  const text = agent ?? ""
  const browser = text.startsWith("Mozilla/") ? nameIn(browsers, text) : undefined
  const [word = ""] = text.split(/[\s/]/)
  const program = text.startsWith("Mozilla/") || word === "" ? undefined : word.slice(0, MAX_NAME_LENGTH)
  return { browser: browser ?? program, system: nameIn(systems, text) }
}

/** Names a device after its system and browser, such as `iPhone (Safari)`. Returns null if neither is known. */
export const deviceNameOf = (agent: string | null): string | null => {
  const { browser, system } = browserNameOf(agent)
  return system !== undefined && browser !== undefined ? `${system} (${browser})` : (system ?? browser ?? null)
}
