import { WrongUsage } from "../CommandFailed.ts"
import { readingOf } from "./CsvMembers.ts"
import { columnOf, type Mapped, type Readings, readingsOf } from "./Mapping.ts"
import {
  merge,
  notImported,
  type Preset,
  type PresetOptions,
  type Reading,
  type SkippedPart,
  type SkipReason
} from "./presets/Preset.ts"
import { presetOfColumns, presets } from "./presets/Presets.ts"
import type { Row, SourceRecord } from "./Row.ts"
import { isEmpty, isNothing } from "./Values.ts"

/** Counts what is not imported. */
export interface Losses {
  /** Users whose password is not imported. */
  passwords: number
  /** Users without a password or a profile, regardless of the reason. */
  withoutLogin: number
  authenticators: number
  /** Passwords that users had to change at their next login. */
  temporaryPasswords: number
  /** Required actions at the next login, by name. */
  readonly requiredActions: Map<string, number>
  /** Users who are inactive because of a temporary lock, by column. */
  readonly locks: Map<string, number>
  /** Profiles, by provider. */
  readonly profiles: Map<string, number>
  /** Users who are not imported, by reason. */
  readonly skipped: Map<SkipReason, number>
  /** Users with a value in an unknown column, by column. */
  readonly unknown: Map<string, number>
  /** Users with a value in a known column that is not imported, by column. */
  readonly leftOut: Map<string, number>
}

/** Converts records of another system to rows. */
export interface Conversion {
  /** Called with the columns of a CSV before its records. Throws `WrongUsage` if they can't be read. */
  readonly onColumns: (columns: ReadonlyArray<string>) => void
  /** Converts a record to a row. Returns undefined if the user is not imported. */
  readonly rowOf: (record: SourceRecord) => SourceRecord | undefined
  /** The column for a member of a row, if their names differ. */
  readonly columnOf: (field: string) => string | undefined
  readonly losses: Losses
}

/** The columns whose values are nested in a row. */
const nested: ReadonlyArray<readonly [RegExp, string]> = [
  [/^credentials\[\d+\]\.password_hash$/, "password_hash"],
  [/^credentials\[\d+\]\.otp_secret$/, "otp_secret"],
  [/^memberships\[\d+\]\.org\.reference$/, "org_reference"],
  [/^memberships\[\d+\]\.org\.name$/, "org_name"],
  [/^memberships\[\d+\]\.permissions(\[\d+\])?$/, "permissions"]
]

/** The maximum number of unknown columns that are counted by name. */
const MAX_COLUMNS = 50

const noLosses = (): Losses => ({
  passwords: 0,
  withoutLogin: 0,
  authenticators: 0,
  temporaryPasswords: 0,
  requiredActions: new Map(),
  locks: new Map(),
  profiles: new Map(),
  skipped: new Map(),
  unknown: new Map(),
  leftOut: new Map()
})

const add = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1)

const counting =
  (losses: Losses) =>
  (left: SkippedPart): void => {
    if (left.what === "profile") add(losses.profiles, left.provider)
    else if (left.what === "required_action") add(losses.requiredActions, left.action)
    else if (left.what === "password") losses.passwords += 1
    else if (left.what === "temporary_password") losses.temporaryPasswords += 1
    else losses.authenticators += 1
  }

/** The context of readings, except for the record. */
const contextOf = (losses: Losses, options: PresetOptions, now: number) => ({
  options,
  now,
  countSkipped: counting(losses),
  countLock: (column: string) => void add(losses.locks, column)
})

/** Returns an error if the input was exported by another system but its preset wasn't given. */
const withoutPreset = (columns: ReadonlyArray<string>): WrongUsage | undefined => {
  const name = presetOfColumns(columns)
  return name === undefined
    ? undefined
    : new WrongUsage({
        happened: `This looks like an export from ${presets[name].system}, which needs a preset.`,
        todo: `Run the command again with --preset ${name}.`
      })
}

/** Converts rows in the service's format. In a CSV, columns are named after members or mapped with `--map`. */
export const memberConversion = (maps: ReadonlyArray<Mapped>): Conversion => {
  const losses = noLosses()
  let readings: Readings | undefined
  let names: ReadonlyArray<string> = []
  let isFirst = true
  const around = contextOf(losses, { profiles: true }, 0)
  return {
    losses,
    onColumns: (columns) => {
      const suggestion = maps.length === 0 ? withoutPreset(columns) : undefined
      if (suggestion !== undefined) throw suggestion
      readings = readingsOf(columns, maps)
      names = columns
    },
    columnOf: (field) => {
      const member = nested.find(([pattern]) => pattern.test(field))?.[1]
      return member === undefined ? undefined : columnOf(member, names, maps)
    },
    rowOf: (record) => {
      if (readings === undefined) {
        const suggestion = isFirst && !("reference" in record) ? withoutPreset(Object.keys(record)) : undefined
        if (suggestion !== undefined) throw suggestion
        isFirst = false
        if (maps.length === 0) return record
        throw new WrongUsage({
          happened: "--map only works with CSV columns, but the input is JSON.",
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

/** Converts another system's export. `now`: in Unix seconds. */
export const presetConversion = (
  preset: Preset,
  options: PresetOptions,
  maps: ReadonlyArray<Mapped>,
  now: number
): Conversion => {
  const losses = noLosses()
  const parts = contextOf(losses, options, now)
  const mapped = Map.groupBy(maps, ({ column }) => column)
  const found = new Map<string, ReadonlyArray<Reading> | undefined>()
  let isTable = false

  const lookUp = (column: string): ReadonlyArray<Reading> | undefined => {
    const own = mapped.get(column)
    if (own !== undefined) return own.flatMap(({ member }) => readingOf(member) ?? [])
    const known = Object.hasOwn(preset.columns, column) ? preset.columns[column] : undefined
    if (known !== undefined) return [known.read]
    const [start, columns] =
      Object.entries(preset.prefixes ?? {}).find(([beginning]) => column.startsWith(beginning)) ?? []
    return start === undefined || columns === undefined ? undefined : [columns.read(column.slice(start.length))]
  }

  const readingsFor = (column: string): ReadonlyArray<Reading> | undefined => {
    if (!found.has(column)) found.set(column, lookUp(column))
    return found.get(column)
  }

  /** Counts a column that is not imported. */
  const count = (column: string, value: unknown): void => {
    if (mapped.has(column)) return
    if (preset.columns[column] === notImported) {
      if (!isNothing(value)) add(losses.leftOut, column)
      return
    }
    if (isEmpty(value)) return
    add(losses.unknown, losses.unknown.has(column) || losses.unknown.size < MAX_COLUMNS ? column : "others")
  }

  return {
    losses,
    onColumns: () => {
      isTable = true
    },
    columnOf: () => undefined,
    rowOf: (nested) => {
      const cells = isTable && preset.fromCells !== undefined ? preset.fromCells(nested) : nested
      const record = preset.flatten?.(cells) ?? cells
      const skipped = preset.skipReasonOf?.(record)
      if (skipped !== undefined) {
        add(losses.skipped, skipped)
        return undefined
      }
      const around = { ...parts, record }
      let row: Row = {}
      for (const [column, value] of Object.entries(record)) {
        const readings = readingsFor(column)
        if (readings === undefined || preset.columns[column] === notImported) count(column, value)
        for (const reading of readings ?? []) row = merge(row, reading(value, around))
      }
      const types = row.credentials?.map(({ credential_type: type }) => type) ?? []
      if (types.every((type) => type === "totp")) losses.withoutLogin += 1
      return row
    }
  }
}
