import { Clock, Effect } from "effect"
import { clockWarning } from "../ClockSkew.ts"
import { CommandFailed, WrongUsage } from "../CommandFailed.ts"
import type { Remote } from "../Remote.ts"
import { WorkDone } from "../WorkDone.ts"
import { type Batch, batchesOf, InputChanged } from "./Batches.ts"
import { CallPace } from "./CallPace.ts"
import type { Conversion } from "./Conversion.ts"
import { ExportMarks } from "./ExportMarks.ts"
import { importBatch } from "./ImportCall.ts"
import { CallLimits, conversionOf, type ImportJob, jobChecksum, limitsFor } from "./ImportJob.ts"
import {
  dropState,
  type ImportState,
  keepState,
  noTotals,
  readState,
  rowsOf,
  statePath,
  type Totals
} from "./ImportState.ts"
import { remark, showProgress } from "./ProgressReport.ts"
import { presets } from "./presets/Presets.ts"
import { recordsOf } from "./Records.ts"
import { openReport } from "./RefusedReport.ts"
import { sendAgain } from "./Sending.ts"
import { count, said } from "./Sentences.ts"

/** What an import has done. */
export interface Imported {
  readonly totals: Totals
  /** Rows that earlier runs of the same import had worked off. */
  readonly before: number
  readonly seconds: number
  readonly conversion: Conversion
  /** Whether the input is an export without passwords. */
  readonly withoutSecrets: boolean
  /** Whether rows were refused because their bytes are not of the encoding. */
  readonly isGarbled: boolean
}

/** What was read; an error that nobody expects is a defect. */
const reading = <A>(read: () => Promise<A>): Effect.Effect<A, CommandFailed | WrongUsage | InputChanged> =>
  Effect.catch(Effect.tryPromise({ try: read, catch: (error) => error }), (error) =>
    error instanceof CommandFailed || error instanceof WrongUsage || error instanceof InputChanged
      ? Effect.fail(error)
      : Effect.die(error)
  )

const plus = (one: Totals, other: Totals): Totals => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  unchanged: one.unchanged + other.unchanged,
  refused: one.refused + other.refused,
  orgs_created: one.orgs_created + other.orgs_created
})

/** What is said of an import that ends early. */
const doneSentence = (totals: Totals, { file, query }: ImportJob): string => {
  if (query.dryRun) return "Nothing was written: it was a dry run."
  const { created, updated, unchanged, refused } = totals
  if (rowsOf(totals) === 0) return "No users were imported."
  const again = file === undefined ? "Those who are in stay unchanged" : "The same command goes on from there"
  return `${count(created + updated + unchanged, "user")} ${created + updated + unchanged === 1 ? "is" : "are"} in, and ${count(refused, "row")} refused. ${again}.`
}

/** Imports an input from its first row, or from where an earlier run stopped. */
const run = Effect.fnUntraced(function* (job: ImportJob, remote: Remote, state: ImportState | undefined) {
  const { note } = yield* WorkDone
  const began = yield* Clock.currentTimeMillis
  const path = job.file === undefined || job.query.dryRun ? undefined : statePath(job.file)
  const checksum = jobChecksum(remote.url, job)
  const input = yield* reading(job.open)
  const [conversion, marks] = [conversionOf(job), new ExportMarks()]
  const report = yield* openReport(job.report, state?.report_bytes ?? 0)
  const before = state === undefined ? 0 : rowsOf(state.totals)
  let totals = state?.totals ?? noTotals
  let shareBefore = 0
  const pace = new CallPace()
  let [isBegun, isKept, isFirst, isGarbled] = [false, path !== undefined, true, false]
  yield* note(() => doneSentence(totals, job))

  yield* showProgress(job.query.dryRun ? "Checking" : "Importing", (at) => {
    const total = rowsOf(totals) + pace.rowsAt(at)
    const share = input.size ? pace.readAt(at, input.read()) / input.size : undefined
    return { done: total - before, total, refused: totals.refused, share, shareBefore }
  })

  const sendBatch = Effect.fnUntraced(function* (batch: Batch) {
    if (batch.rows === 0) return { refused: batch.refused, totals: noTotals }
    const send = Effect.flatMap(Clock.currentTimeMillis, (at) => {
      pace.begin(batch, at)
      return importBatch(remote, job.query, batch, (bytes) => pace.send(bytes))
    })
    const { refused, summary, date } = yield* sendAgain(send, isBegun)
    const warning = isBegun ? undefined : clockWarning(date, yield* Clock.currentTimeMillis)
    if (warning !== undefined) yield* remark(`${warning} Rows with times in the service's future are refused.`)
    isBegun = true
    return { refused: [...batch.refused, ...refused].toSorted((one, other) => one.line - other.line), totals: summary }
  })

  const confirm = Effect.fnUntraced(function* ({ through }: Batch) {
    if (path === undefined || !isKept) return
    const next: ImportState = { version: 1, job: checksum, ...through, totals, report_bytes: report.bytes() }
    const why = yield* keepState(path, next)
    if (why === undefined) return
    isKept = false
    yield* remark(
      `How far the import has come can't be noted in ${path}. ${why}. If this run is stopped, the next one begins at the first row, which leaves users who are in unchanged.`
    )
  })

  const records = recordsOf(input, {
    format: job.format,
    encoding: job.encoding,
    preset: job.preset === undefined ? undefined : presets[job.preset],
    onColumns: conversion.onColumns
  })
  const limits = (yield* CallLimits) ?? limitsFor(input.size)
  const batches = batchesOf(records, { conversion, marks, limits, from: state })
  // Not waited for: it ends with the read that is under way, which may be that of a terminal.
  yield* Effect.addFinalizer(() => Effect.sync(() => void batches.return(undefined).catch(() => undefined)))

  while (true) {
    const next = yield* reading(() => batches.next())
    if (next.done === true) break
    const batch = next.value
    if (isFirst && state !== undefined && input.size !== undefined) {
      pace.from = (input.read() * state.records) / batch.through.records
      shareBefore = pace.from / input.size
    }
    isFirst = false
    const done = yield* sendBatch(batch)
    yield* report.write(done.refused)
    isGarbled ||= done.refused.some(({ errors }) => errors.includes(said("line_not_utf8")))
    totals = plus(totals, { ...done.totals, refused: done.refused.length })
    pace.end(input.read(), yield* Clock.currentTimeMillis)
    yield* confirm(batch)
  }
  if (path !== undefined) yield* dropState(path)
  if (marks.fault !== undefined) {
    return yield* new CommandFailed({
      happened: marks.fault,
      todo: "Take the export again and import it: users who are in stay unchanged."
    })
  }
  const seconds = ((yield* Clock.currentTimeMillis) - began) / 1000
  return { totals, before, seconds, conversion, withoutSecrets: marks.withoutSecrets, isGarbled } satisfies Imported
}, Effect.scoped)

/** Imports users. A file that an earlier run has imported in part goes on where that stopped. */
export const importUsers = Effect.fn("cli.importUsers")(function* (job: ImportJob, remote: Remote) {
  const path = job.file === undefined || job.query.dryRun ? undefined : statePath(job.file)
  const state = path === undefined ? undefined : yield* readState(path, jobChecksum(remote.url, job))
  if (state !== undefined) {
    yield* remark(`An earlier run has worked off ${count(rowsOf(state.totals), "row")}: going on from there.`)
  }
  return yield* run(job, remote, state).pipe(
    Effect.catchIf(
      (error): error is InputChanged => error instanceof InputChanged,
      () =>
        Effect.andThen(
          remark("The input is not the one that the earlier run has read: beginning at its first row."),
          run(job, remote, undefined)
        )
    ),
    Effect.catchIf((error): error is InputChanged => error instanceof InputChanged, Effect.die)
  )
})
