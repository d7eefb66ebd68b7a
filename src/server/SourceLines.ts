import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { originsOf, type Place } from "./SourceMap.ts"

// A stack trace separates places by these characters. The second expression reads one place.
const WORD = /[^\s"'()]+/g
const PLACE = /^(.+\.js):(\d+):(\d+)/

/** How many places are remembered: more than a bundle can ever fail at. */
const REMEMBERED = 1_000

/** A place in compiled code, and the place in the source that it stands for. */
const known = new Map<string, string>()

interface Found extends Place {
  readonly text: string
  readonly file: string
}

const foundIn = (text: string): ReadonlyArray<Found> =>
  (text.match(WORD) ?? []).flatMap((word) => {
    const [place = "", file = "", line, column] = PLACE.exec(word) ?? []
    if (place === "" || known.has(place)) return []
    return [{ text: place, file, line: Number(line), column: Number(column) }]
  })

/** Looks up places of one file. Those of a file without a map stay as they are. */
const look = (file: string, places: ReadonlyArray<Found>): void => {
  try {
    const path = file.startsWith("file:") ? fileURLToPath(file) : file
    const map = JSON.parse(readFileSync(`${path}.map`, "utf8"))
    originsOf(map, places).forEach((origin, index) => {
      const { text } = places[index] ?? { text: "" }
      if (origin === undefined) known.set(text, text)
      else known.set(text, `${resolve(dirname(path), origin.source)}:${origin.line}:${origin.column}`)
    })
  } catch {
    for (const { text } of places) known.set(text, text)
  }
}

/**
 * A text in which stack traces name the lines of the source in place of those of the bundle. The maps are read for the first
 * text that names a place, and not kept: with `--enable-source-maps` Node keeps them, which takes over 100 MiB.
 */
export const withSourceLines = (text: string): string => {
  if (!text.includes(".js:")) return text
  if (known.size > REMEMBERED) known.clear()
  for (const [file, places] of Map.groupBy(foundIn(text), ({ file }) => file)) look(file, places)
  return text.replaceAll(WORD, (word) => word.replace(PLACE, (place) => known.get(place) ?? place))
}
