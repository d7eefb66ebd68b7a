import { WrongUsage } from "../CommandFailed.ts"
import { visible } from "../Visible.ts"
import { csvMembers, memberOf, nearestMember, readingOf } from "./CsvMembers.ts"
import type { Reading } from "./presets/Preset.ts"
import { looksSecret } from "./SecretColumns.ts"

/** A `--map` option: a column and its member. An empty member skips the column. */
export interface Mapped {
  readonly column: string
  readonly member: string
}

const known = `Members: ${csvMembers.join(", ")}, and custom.<key>.`

/** Parses `column=member`. */
export const mappedOf = (text: string): Mapped => {
  const at = text.lastIndexOf("=")
  if (at < 1) {
    throw new WrongUsage({
      happened: `--map ${text} is not a valid mapping.`,
      todo: "Write --map column=member, as in --map mail=email."
    })
  }
  const mapped = { column: text.slice(0, at).trim(), member: text.slice(at + 1).trim() }
  if (mapped.member === "" || readingOf(mapped.member) !== undefined) return mapped
  const nearest = nearestMember(mapped.member)
  throw new WrongUsage({
    happened: `--map ${text}: users have no member ${mapped.member}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
    todo: known
  })
}

/** The readings of each column, determined by `--map` or else by the column's name. */
export type Readings = ReadonlyMap<string, ReadonlyArray<Reading>>

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const customOf = (column: string): string => `custom.${column.replaceAll(/[^A-Za-z0-9_]/g, "_")}`

/** A `--map` option, quoted for a shell and safe for a terminal. */
const option = (column: string, member: string): string => `--map ${quoted(visible(`${column}=${member}`))}`

/** The option that imports a column as a custom attribute. */
export const attributeOption = (column: string): string => option(column, customOf(column))

/** Describes an unknown column. */
const unknownSentence = (column: string, nearest: string | undefined): string => {
  const unknown = `Unknown column: ${column}.`
  if (nearest !== undefined) return `${unknown} Did you mean ${nearest}?`
  return looksSecret(column)
    ? `${unknown} It looks like a secret: skip it, or hash the passwords and name the column password_hash.`
    : unknown
}

/** A custom attribute name that isn't taken. */
const freeCustomOf = (column: string, taken: ReadonlySet<string>): string => {
  const name = customOf(column)
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name}_${number}`)) number += 1
  return `${name}_${number}`
}

/**
 * The error for unknown columns. `held`: the members that other columns already have, which are not suggested again
 * because duplicates would be rejected.
 */
const unknownColumns = (columns: ReadonlyArray<string>, held: Iterable<string>): WrongUsage => {
  const taken = new Set(held)
  const meant = new Map<string, string | undefined>()
  const members = new Map<string, string>()
  for (const column of columns) {
    const nearest = nearestMember(column)
    const free = nearest === undefined || taken.has(nearest) ? undefined : nearest
    const member = free ?? (looksSecret(column) ? "" : freeCustomOf(column, taken))
    meant.set(column, free)
    members.set(column, member)
    if (member !== "") taken.add(member)
  }
  const sentences = [...meant].map(([column, nearest]) => unknownSentence(column, nearest))
  const [first = ""] = columns
  const ready = [...members].map(([column, member]) => option(column, member))
  return new WrongUsage({
    happened: sentences.join("\n"),
    todo: `Map each column, for example:\n  ${ready.join(" ")}\ncustom.<key> imports a column as a custom attribute, and ${option(first, "")} skips it.\n${known}`
  })
}

/** Rejects `--map` columns that the input doesn't have. */
const absentColumns = (maps: ReadonlyArray<Mapped>, columns: ReadonlyArray<string>) => {
  const absent = maps.find(({ column }) => !columns.includes(column))
  if (absent === undefined) return
  throw new WrongUsage({
    happened: `--map ${absent.column}=${absent.member}: there is no column ${absent.column}.`,
    todo: `Columns: ${columns.join(", ")}.`
  })
}

/** Explains how to resolve two columns with the same member. A column named in `--map` takes precedence. */
const leaveOneOut = (one: string, other: string, member: string, maps: ReadonlyArray<Mapped>): string => {
  const isMapped = (column: string) => maps.some((map) => map.column === column && map.member === member)
  if (!isMapped(other)) return `Skip one of them: ${option(other, "")}.`
  if (!isMapped(one)) return `Skip the other one: ${option(one, "")}.`
  return `Remove one of these options: ${option(one, member)}, or ${option(other, member)}.`
}

const repeatedMembers = (members: ReadonlyMap<string, ReadonlyArray<string>>, maps: ReadonlyArray<Mapped>) => {
  const holders = new Map<string, string>()
  for (const [column, found] of members) {
    for (const member of found) {
      const other = holders.get(member)
      if (other !== undefined) {
        throw new WrongUsage({
          happened: `The columns ${other} and ${column} are both ${member}.`,
          todo: leaveOneOut(other, column, member, maps)
        })
      }
      holders.set(member, column)
    }
  }
}

/** Determines the readings of a CSV's columns. Throws `WrongUsage` if any is unclear. */
export const readingsOf = (columns: ReadonlyArray<string>, maps: ReadonlyArray<Mapped>): Readings => {
  absentColumns(maps, columns)
  const members = new Map<string, ReadonlyArray<string>>()
  const unknown: Array<string> = []
  for (const column of columns) {
    const mappedMembers = maps.filter((map) => map.column === column).map(({ member }) => member)
    const own = memberOf(column)
    if (mappedMembers.length > 0)
      members.set(
        column,
        mappedMembers.filter((member) => member !== "")
      )
    else if (own !== undefined) members.set(column, [own])
    else unknown.push(column)
  }
  if (unknown.length > 0) throw unknownColumns(unknown, [...members.values()].flat())
  repeatedMembers(members, maps)
  if (![...members.values()].flat().includes("reference")) {
    throw new WrongUsage({
      happened: `No column is the reference, your own ID for each user, which later imports need to find them again. Columns: ${columns.join(", ")}.`,
      todo: "Choose it, as in --map customer_no=reference."
    })
  }
  return new Map([...members].map(([column, found]) => [column, found.flatMap((member) => readingOf(member) ?? [])]))
}

/** Returns the column of a CSV that contains a member. */
export const columnOf = (
  member: string,
  columns: ReadonlyArray<string>,
  maps: ReadonlyArray<Mapped>
): string | undefined =>
  maps.find((map) => map.member === member)?.column ??
  columns.find((column) => memberOf(column) === member && maps.every((map) => map.column !== column))
