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

/** The maximum length of a program's name. */
const MAX_NAME_LENGTH = 40

/** Shortens a User-Agent: "Safari · macOS" for browsers, or the start of the name for other programs. */
export const browserOf = (client: string): string => {
  const name = (list: ReadonlyArray<readonly [RegExp, string]>) => list.find(([mark]) => mark.test(client))?.[1]
  const known = [name(browsers), name(systems)].filter((one) => one !== undefined)
  if (known.length > 0) return known.join(" · ")
  return client.length > MAX_NAME_LENGTH ? `${client.slice(0, MAX_NAME_LENGTH)}…` : client
}
