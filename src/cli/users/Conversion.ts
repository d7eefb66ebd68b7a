import { WrongUsage } from "../CommandFailed.ts"
import { readingOf } from "./CsvMembers.ts"
import { columnOf, type Mapped, type Readings, readingsOf } from "./Mapping.ts"
import { type LeftOut, merge, type Passed, type Preset, type PresetOptions, type Reading } from "./presets/Preset.ts"
import type { Row, SourceRecord } from "./Row.ts"

/** What of the input does not come along, counted. */
export interface Losses {
  /** Users whose password does not come along. */
  passwords: number
  /** Users who have no password and no profile, whatever the reason. */
  withoutLogin: number
  authenticators: number
  /** Profiles, by the provider. */
  readonly profiles: Map<string, number>
  /** Users who are not imported, by the reason. */
  readonly passed: Map<Passed, number>
  /** Columns that are not known. */
  readonly columns: Set<string>
}

/** Makes rows of what another system exports. */
export interface Conversion {
  /** Is told the columns of a CSV. Throws `WrongUsage` if they can't be read. */
  readonly onColumns: (columns: ReadonlyArray<string>) => void
  /** The row of a record; undefined if that user is not imported. */
  readonly rowOf: (record: SourceRecord) => SourceRecord | undefined
  /** The column in which a member of a row stands, if it is called otherwise there. */
  readonly columnOf: (field: string) => string | undefined
  readonly losses: Losses
}

/** The columns that make what is nested in a row. */
const nested: ReadonlyArray<readonly [RegExp, string]> = [
  [/^credentials\[\d+\]\.password_hash$/, "password_hash"],
  [/^credentials\[\d+\]\.otp_secret$/, "otp_secret"],
  [/^memberships\[\d+\]\.org\.reference$/, "org_reference"],
  [/^memberships\[\d+\]\.org\.name$/, "org_name"],
  [/^memberships\[\d+\]\.permissions(\[\d+\])?$/, "permissions"]
]

/** How many unknown columns are told. */
const MOST_COLUMNS = 50

const noLosses = (): Losses => ({
  passwords: 0,
  withoutLogin: 0,
  authenticators: 0,
  profiles: new Map(),
  passed: new Map(),
  columns: new Set()
})

const add = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1)

const counting =
  (losses: Losses) =>
  (left: LeftOut): void => {
    if (left.what === "profile") add(losses.profiles, left.provider)
    else if (left.what === "password") losses.passwords += 1
    else losses.authenticators += 1
  }

/** Rows as the service takes them; those of a CSV by its columns, which are named after their members, or mapped. */
export const ofMembers = (maps: ReadonlyArray<Mapped>): Conversion => {
  const losses = noLosses()
  let readings: Readings | undefined
  let names: ReadonlyArray<string> = []
  const around = { options: { profiles: true }, leaveOut: counting(losses) }
  return {
    losses,
    onColumns: (columns) => {
      readings = readingsOf(columns, maps)
      names = columns
    },
    columnOf: (field) => {
      const member = nested.find(([pattern]) => pattern.test(field))?.[1]
      return member === undefined ? undefined : columnOf(member, names, maps)
    },
    rowOf: (record) => {
      if (readings === undefined) {
        if (maps.length === 0) return record
        throw new WrongUsage({
          happened: "--map names columns of a CSV, and the input is JSON.",
          todo: "Rename the members of the JSON, for example with jq."
        })
      }
      let row: Row = {}
      for (const [column, all] of readings) {
        for (const reading of all) row = merge(row, reading(record[column], { ...around, record }))
      }
      return row
    }
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)

/** The rows of another system's export. */
export const ofPreset = (preset: Preset, options: PresetOptions, maps: ReadonlyArray<Mapped>): Conversion => {
  const losses = noLosses()
  const leaveOut = counting(losses)
  const unused = new Set(preset.unused)
  const mapped = Map.groupBy(maps, ({ column }) => column)
  const found = new Map<string, ReadonlyArray<Reading>>()

  const lookUp = (column: string): ReadonlyArray<Reading> => {
    const own = mapped.get(column)
    if (own !== undefined) return own.flatMap(({ member }) => readingOf(member) ?? [])
    if (Object.hasOwn(preset.columns, column)) return [preset.columns[column]].filter((one) => one !== undefined)
    const prefix = Object.keys(preset.prefixes ?? {}).find((start) => column.startsWith(start))
    const made = prefix === undefined ? undefined : preset.prefixes?.[prefix]
    return prefix === undefined || made === undefined ? [] : [made(column.slice(prefix.length))]
  }

  const readingsFor = (column: string): ReadonlyArray<Reading> => {
    const known = found.get(column)
    if (known !== undefined) return known
    const readings = lookUp(column)
    found.set(column, readings)
    return readings
  }

  return {
    losses,
    onColumns: () => undefined,
    columnOf: () => undefined,
    rowOf: (nested) => {
      const record = preset.flatten?.(nested) ?? nested
      const passed = preset.passes?.(record)
      if (passed !== undefined) {
        add(losses.passed, passed)
        return undefined
      }
      const around = { record, options, leaveOut }
      let row: Row = {}
      for (const [column, value] of Object.entries(record)) {
        const readings = readingsFor(column)
        if (readings.length === 0) {
          if (!unused.has(column) && !mapped.has(column) && !isEmpty(value) && losses.columns.size < MOST_COLUMNS)
            losses.columns.add(column)
          continue
        }
        for (const reading of readings) row = merge(row, reading(value, around))
      }
      const types = row.credentials?.map(({ credential_type: type }) => type) ?? []
      if (types.every((type) => type === "totp")) losses.withoutLogin += 1
      return row
    }
  }
}
