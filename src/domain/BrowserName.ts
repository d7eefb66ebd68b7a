/** Browsers by what they say of themselves. The first that fits: most also name those they descend from. */
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

/** The longest name of a program that says nothing else of itself. */
const MOST = 40

/** What a user agent is called by people. */
export interface BrowserName {
  readonly browser: string | undefined
  readonly system: string | undefined
}

/** The names of the browser and the system in a user agent. Another program is called by its first word. */
export const browserNameOf = (agent: string | null): BrowserName => {
  const text = agent ?? ""
  const browser = text.startsWith("Mozilla/") ? nameIn(browsers, text) : undefined
  const [word = ""] = text.split(/[\s/]/)
  const program = text.startsWith("Mozilla/") || word === "" ? undefined : word.slice(0, MOST)
  return { browser: browser ?? program, system: nameIn(systems, text) }
}
