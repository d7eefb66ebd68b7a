import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { originsOf, type Place } from "./SourceMap.ts"

// The words of a stack trace, some of which are places. The second expression parses a place.
const WORD = /[^\s"'()]+/g
const PLACE = /^(.+\.js):(\d+):(\d+)/

/** The maximum number of cached places. No bundle fails in that many places. */
const MAX_CACHED = 1_000

/** Places in compiled code, mapped to their places in the source. */
const cachedOrigins = new Map<string, string>()

interface Found extends Place {
  readonly text: string
  readonly file: string
}

const foundIn = (text: string): ReadonlyArray<Found> =>
  (text.match(WORD) ?? []).flatMap((word) => {
    const [place = "", file = "", line, column] = PLACE.exec(word) ?? []
    if (place === "" || cachedOrigins.has(place)) return []
    return [{ text: place, file, line: Number(line), column: Number(column) }]
  })

/** Looks up places in one file. Places in a file without a source map stay unchanged. */
const lookUpPlaces = (file: string, places: ReadonlyArray<Found>): void => {
  try {
    const path = file.startsWith("file:") ? fileURLToPath(file) : file
    const map = JSON.parse(readFileSync(`${path}.map`, "utf8"))
    originsOf(map, places).forEach((origin, index) => {
      const { text } = places[index] ?? { text: "" }
      if (origin === undefined) cachedOrigins.set(text, text)
      else cachedOrigins.set(text, `${resolve(dirname(path), origin.source)}:${origin.line}:${origin.column}`)
    })
  } catch {
    for (const { text } of places) cachedOrigins.set(text, text)
  }
}

/**
 * Replaces places in the bundle with places in the source, in the stack traces of a text. Source maps are read on
 * demand and then discarded. With `--enable-source-maps`, Node would retain them, which takes over 100 MiB.
 */
export const withSourceLines = (text: string): string => {
  if (!text.includes(".js:")) return text
  if (cachedOrigins.size > MAX_CACHED) cachedOrigins.clear()
  for (const [file, places] of Map.groupBy(foundIn(text), ({ file }) => file)) lookUpPlaces(file, places)
  return text.replaceAll(WORD, (word) => word.replace(PLACE, (place) => cachedOrigins.get(place) ?? place))
}
