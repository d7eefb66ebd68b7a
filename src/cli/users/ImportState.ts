import { access, readFile } from "node:fs/promises"
import { Effect, Option, Schema } from "effect"
import { Disk, diskReason } from "./Disk.ts"

/** What became of the rows that were imported so far. */
export const Totals = Schema.Struct({
  created: Schema.Finite,
  updated: Schema.Finite,
  unchanged: Schema.Finite,
  refused: Schema.Finite,
  orgs_created: Schema.Finite
})

export type Totals = typeof Totals.Type

export const noTotals: Totals = { created: 0, updated: 0, unchanged: 0, refused: 0, orgs_created: 0 }

/** How many rows that is. */
export const rowsOf = ({ created, updated, unchanged, refused }: Totals): number =>
  created + updated + unchanged + refused

/** How far an import has come, as it stands in a file beside its input. */
export const ImportState = Schema.Struct({
  /** The form of this file. */
  version: Schema.Literal(1),
  /** A checksum of what is imported where, and how. */
  job: Schema.String,
  /** How many records of the input are worked off. */
  records: Schema.Finite,
  /** A checksum of those records. */
  checksum: Schema.String,
  totals: Totals,
  /** How many records were sent at most: of those after `records`, nobody knows what became. */
  sent: Schema.optionalKey(Schema.Finite),
  /** How many rows were sent again after that, and were unchanged. */
  sent_again: Schema.optionalKey(Schema.Finite),
  /** How long the report of refused rows is, in bytes. */
  report_bytes: Schema.Finite
})

export type ImportState = typeof ImportState.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(ImportState))

/** How many rows were sent at most of which nobody knows what became. */
export const openIn = ({ records, sent = 0 }: Pick<ImportState, "records" | "sent">): number =>
  Math.max(0, sent - records)

/** Where the state of an import of a file is. */
export const statePath = (input: string): string => `${input}.sallyport-import.json`

/** The state of this import that an earlier run left behind, if there is one. */
export const readState = Effect.fnUntraced(function* (path: string, job: string) {
  const text = yield* Effect.option(Effect.tryPromise(() => readFile(path, "utf8")))
  return Option.getOrUndefined(Option.flatMap(text, decode).pipe(Option.filter((state) => state.job === job)))
})

/** Whether a file is where a state is kept. */
export const hasState = (path: string) =>
  Effect.promise(() =>
    access(path).then(
      () => true,
      () => false
    )
  )

/** Keeps a state in place of the last one. Returns why that can't be done, if it can't. */
export const keepState = Effect.fnUntraced(function* (path: string, state: ImportState) {
  const disk = yield* Disk
  const next = `${path}.part`
  return yield* Effect.promise(async () => {
    try {
      const file = await disk.open(next, "w")
      try {
        await file.appendFile(`${JSON.stringify(state)}\n`)
      } finally {
        await file.close()
      }
      await disk.rename(next, path)
      return undefined
    } catch (error) {
      await disk.remove(next).catch(() => undefined)
      return diskReason(error)
    }
  })
})

/** Forgets a state. */
export const dropState = Effect.fnUntraced(function* (path: string) {
  const disk = yield* Disk
  yield* Effect.ignore(Effect.tryPromise(() => disk.remove(path)))
})
