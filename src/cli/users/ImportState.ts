import { access, readFile } from "node:fs/promises"
import { Effect, Option, Schema } from "effect"
import { Disk, diskReason } from "./Disk.ts"

/** The counts of processed rows. */
export const Totals = Schema.Struct({
  created: Schema.Finite,
  updated: Schema.Finite,
  unchanged: Schema.Finite,
  refused: Schema.Finite,
  orgs_created: Schema.Finite
})

export type Totals = typeof Totals.Type

export const noTotals: Totals = { created: 0, updated: 0, unchanged: 0, refused: 0, orgs_created: 0 }

/** The total number of rows. */
export const rowsOf = ({ created, updated, unchanged, refused }: Totals): number =>
  created + updated + unchanged + refused

/** The progress of an import, stored in a file next to its input. */
export const ImportState = Schema.Struct({
  /** The version of the file format. */
  version: Schema.Literal(1),
  /** A checksum of the job's parameters. */
  job: Schema.String,
  /** The number of records that were processed. */
  records: Schema.Finite,
  /** A checksum of the processed records. */
  checksum: Schema.String,
  totals: Totals,
  /** The maximum number of records that were sent. The outcome of the records after `records` is unknown. */
  sent: Schema.optionalKey(Schema.Finite),
  /** The number of rows with an unknown outcome that were resent and unchanged. */
  sent_again: Schema.optionalKey(Schema.Finite),
  /** The size of the report of rejected rows, in bytes. */
  report_bytes: Schema.Finite
})

export type ImportState = typeof ImportState.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(ImportState))

/** The maximum number of sent rows with an unknown outcome. */
export const unknownOutcomes = ({ records, sent = 0 }: Pick<ImportState, "records" | "sent">): number =>
  Math.max(0, sent - records)

/** The path of an import's state file. */
export const statePath = (input: string): string => `${input}.sallyport-import.json`

/** Reads the state of this import from an earlier run, if there is one. */
export const readState = Effect.fnUntraced(function* (path: string, job: string) {
  const text = yield* Effect.option(Effect.tryPromise(() => readFile(path, "utf8")))
  return Option.getOrUndefined(Option.flatMap(text, decode).pipe(Option.filter((state) => state.job === job)))
})

/** Whether there is a state file. */
export const hasState = (path: string) =>
  Effect.promise(() =>
    access(path).then(
      () => true,
      () => false
    )
  )

/** Replaces the state file. Returns the reason if that fails. */
export const saveState = Effect.fnUntraced(function* (path: string, state: ImportState) {
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

/** Deletes the state file. */
export const deleteState = Effect.fnUntraced(function* (path: string) {
  const disk = yield* Disk
  yield* Effect.ignore(Effect.tryPromise(() => disk.remove(path)))
})
