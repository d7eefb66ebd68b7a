/** A source map (ECMA-426) as the build writes it. `sources`: relative to the file of the map. */
export interface SourceMap {
  readonly sources: ReadonlyArray<string>
  readonly mappings: string
}

/** A line and a column, both starting at 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A place in a source file. */
export interface Origin extends Place {
  readonly source: string
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const valueOf = new Int8Array(128)
for (const [value, digit] of [...DIGITS].entries()) valueOf[digit.charCodeAt(0)] = value

const COMMA = ",".charCodeAt(0)
const SEMICOLON = ";".charCodeAt(0)

/**
 * Finds the origins of places in the generated file, undefined for places without an origin. Decodes the mappings once
 * without storing them, because Node's `module.SourceMap` takes tens of MiB for the service's map.
 */
export const originsOf = (
  { sources, mappings }: SourceMap,
  places: ReadonlyArray<Place>
): ReadonlyArray<Origin | undefined> => {
  const origins = places.map((): Origin | undefined => undefined)
  const wanted = Map.groupBy(places.keys(), (index) => places[index]?.line ?? 0)
  const last = Math.max(...wanted.keys())
  // The fields of a segment: column, source, line and column in the source, and name. Each is relative to the previous one.
  const fields = new Int32Array(5)
  let [count, value, shift] = [0, 0, 0]
  let [line, column, source, sourceLine, sourceColumn] = [1, 0, 0, 0, 0]

  const endSegment = () => {
    column += fields[0] ?? 0
    if (count >= 4) {
      source += fields[1] ?? 0
      sourceLine += fields[2] ?? 0
      sourceColumn += fields[3] ?? 0
    }
    for (const index of wanted.get(line) ?? []) {
      if ((places[index]?.column ?? 0) <= column) continue
      const name = count >= 4 ? sources[source] : undefined
      origins[index] = name === undefined ? undefined : { source: name, line: sourceLine + 1, column: sourceColumn + 1 }
    }
  }

  for (let at = 0; at <= mappings.length && line <= last; at++) {
    const code = at < mappings.length ? mappings.charCodeAt(at) : SEMICOLON
    if (code !== COMMA && code !== SEMICOLON) {
      const digit = valueOf[code] ?? 0
      value |= (digit & 31) << shift
      shift += 5
      if ((digit & 32) !== 0) continue
      fields[count++] = (value & 1) === 1 ? -(value >>> 1) : value >>> 1
      value = shift = 0
      continue
    }
    if (count > 0) endSegment()
    count = 0
    if (code === SEMICOLON) {
      line += 1
      column = 0
    }
  }
  return origins
}
