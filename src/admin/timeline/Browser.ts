const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdg\w*\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"]
]

const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"]
]

/** The longest name of a program that is shown. */
const MOST = 40

/** "Safari · macOS" of what a browser calls itself; of other programs the beginning of their name. */
export const browserOf = (client: string): string => {
  const name = (list: ReadonlyArray<readonly [RegExp, string]>) => list.find(([mark]) => mark.test(client))?.[1]
  const known = [name(browsers), name(systems)].filter((one) => one !== undefined)
  if (known.length > 0) return known.join(" · ")
  return client.length > MOST ? `${client.slice(0, MOST)}…` : client
}
