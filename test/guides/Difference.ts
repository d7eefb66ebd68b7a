/** The minimum number taken for a timestamp. Timestamps differ in each run. */
const EARLIEST_TIME = 1_000_000_000

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Returns whether a text matches the one shown, where `…` matches anything. */
export const isLike = (shown: string, came: string): boolean =>
  new RegExp(`^${shown.split("…").map(escaped).join("[\\s\\S]*")}$`).test(came)

const isSame = (shown: unknown, came: unknown): boolean => {
  if (typeof shown === "string" && typeof came === "string") return isLike(shown, came)
  if (typeof shown === "number" && shown >= EARLIEST_TIME) return typeof came === "number" && came >= EARLIEST_TIME
  return shown === came
}

/**
 * The path at which the actual JSON differs from the JSON shown on a page, or undefined if it doesn't. A page may omit
 * members. A list that ends with `"…"` may have further elements.
 */
export const difference = (shown: unknown, came: unknown, at = ""): string | undefined => {
  if (Array.isArray(shown)) {
    if (!Array.isArray(came)) return `${at} is no list but ${JSON.stringify(came)}`
    const items = shown.at(-1) === "…" ? shown.slice(0, -1) : shown
    if (items === shown && shown.length !== came.length) return `${at} has ${came.length} items, not ${shown.length}`
    return items
      .map((item, index) => difference(item, came[index], `${at}[${index}]`))
      .find((text) => text !== undefined)
  }
  if (typeof shown === "object" && shown !== null) {
    if (typeof came !== "object" || came === null) return `${at} is no object but ${JSON.stringify(came)}`
    return Object.entries(shown)
      .map(([name, inner]) => difference(inner, Reflect.get(came, name), `${at}.${name}`))
      .find((text) => text !== undefined)
  }
  return isSame(shown, came) ? undefined : `${at} is ${JSON.stringify(came)}, not ${JSON.stringify(shown)}`
}

/** The first line shown that is missing from the output or out of order, or undefined if there is none. */
export const missingLine = (shown: string, came: string): string | undefined => {
  const lines = came.split(/\r?\n/)
  let next = 0
  for (const line of shown.split("\n")) {
    const found = lines.findIndex((other, index) => index >= next && isLike(line.trimEnd(), other.trimEnd()))
    if (found < 0) return line
    next = found + 1
  }
  return undefined
}
