import { Cause, Clock, Effect, Exit } from "effect"
import { clockWarning } from "../ClockSkew.ts"
import { CommandFailed, WrongUsage } from "../CommandFailed.ts"
import type { Remote } from "../Remote.ts"
import { WorkDone } from "../WorkDone.ts"
import { type Batch, batchesOf, InputChanged, type Position, type RejectedRow } from "./Batches.ts"
import { CallPace } from "./CallPace.ts"
import { ClaimedValues } from "./ClaimedValues.ts"
import type { Conversion } from "./Conversion.ts"
import { makeDryRun } from "./DryRun.ts"
import { ExportMarks } from "./ExportMarks.ts"
import { type ImportCall, type ImportResponse, openCall } from "./ImportCall.ts"
import { CallLimits, callLimits, conversionOf, type ImportJob, jobChecksum } from "./ImportJob.ts"
import {
  deleteState,
  hasState,
  type ImportState,
  noTotals,
  readState,
  rowsOf,
  saveState,
  statePath,
  type Totals,
  unknownOutcomes
} from "./ImportState.ts"
import { stopCall } from "./ImportStop.ts"
import { count, messageOf } from "./Messages.ts"
import { remark, showProgress } from "./ProgressReport.ts"
import { presets } from "./presets/Presets.ts"
import { recordsOf } from "./Records.ts"
import { emailHint, SHOWN } from "./RejectionMessages.ts"
import { openReport } from "./RejectionReport.ts"
import { RepeatedRejections } from "./RepeatedRejections.ts"
import { withRetries } from "./Sending.ts"

/** The result of an import. */
export interface Imported {
  readonly totals: Totals
  /** The number of rows that earlier runs of the same import processed. */
  readonly before: number
  /**
   * The maximum number of unchanged rows that this import itself may have written: they were sent in an earlier run,
   * but no response arrived.
   */
  readonly unanswered: number
  /** The first rejected rows of this run. */
  readonly refused: ReadonlyArray<RejectedRow>
  readonly seconds: number
  readonly conversion: Conversion
  /** Whether the input is an export without passwords. */
  readonly withoutSecrets: boolean
  /** Whether rows were rejected because they are not valid in the input's encoding. */
  readonly hasEncodingErrors: boolean
  /** Advice about rows rejected for a missing email. */
  readonly emailHint: string
}

/** Runs a read. Unexpected errors become defects. */
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

/** Describes an import that ended early. `open`: the number of rows that were sent but have no response. */
const doneSentence = (totals: Totals, open: number, { file, query }: ImportJob): string => {
  if (query.dryRun) return "Nothing was written, because this was a dry run."
  const { created, updated, unchanged, refused } = totals
  if (rowsOf(totals) + open === 0) return "No users were imported."
  const users = created + updated + unchanged
  const again =
    file === undefined ? "If you run it again, imported users won't change" : "Run the same command to resume"
  const known = `${count(users, "user")} ${users === 1 ? "was" : "were"} imported, and ${count(refused, "row")} rejected.`
  if (open === 0) return `${known} ${again}.`
  return `At least ${known} The service received up to ${count(open, "more row", "more rows")}, whose outcome is unknown. ${again}.`
}

/** The number of records that these calls have sent. */
const maxSent = (calls: ReadonlyArray<ImportCall>): number =>
  Math.max(0, ...calls.map((call) => call.sent()?.through.records ?? 0))

/** The result of sending a batch. */
interface BatchResult {
  readonly refused: ImportResponse["refused"]
  readonly summary: Totals
}

const nothingSent: BatchResult = { refused: [], summary: noTotals }

/** Imports an input from the start, or from the position where an earlier run stopped. */
const run = Effect.fnUntraced(function* (job: ImportJob, remote: Remote, state: ImportState | undefined) {
  const { note } = yield* WorkDone
  const began = yield* Clock.currentTimeMillis
  const path = job.file === undefined || job.query.dryRun ? undefined : statePath(job.file)
  const checksum = jobChecksum(remote.url, job)
  const input = yield* reading(job.open)
  const [conversion, marks, values] = [conversionOf(job, began / 1000), new ExportMarks(), new ClaimedValues()]
  const dryRun = makeDryRun(remote, values)
  const report = yield* openReport(job.report, state?.report_bytes ?? 0)
  const before = state === undefined ? 0 : rowsOf(state.totals)
  // The state file of another import stays until this one has made progress.
  const hasOtherState = path !== undefined && state === undefined && (yield* hasState(path))
  let totals = state?.totals ?? noTotals
  let through: Position = state ?? { records: 0, checksum: "" }
  const shown: Array<RejectedRow> = []
  let [sent, sentAgain] = [state?.sent ?? 0, state?.sent_again ?? 0]
  let [shareBefore, hint] = [0, ""]
  const [pace, equal] = [new CallPace(), new RepeatedRejections()]
  let [isBegun, isKept, isFirst, hasEncodingErrors] = [false, path !== undefined, true, false]
  yield* note(() => doneSentence(totals, unknownOutcomes({ records: through.records, sent }), job))

  yield* showProgress(job.query.dryRun ? "Checking" : "Importing", (at) => {
    const total = rowsOf(totals) + pace.rowsAt(at)
    const share = input.size ? pace.readAt(at, input.read()) / input.size : undefined
    return { done: total - before, total, refused: totals.refused, share, shareBefore }
  })

  /** Stores the progress. `open`: the number of records sent so far, with or without a response. */
  const saveProgress = Effect.fnUntraced(function* (open = sent) {
    if (path === undefined || !isKept) return
    if (hasOtherState && through.records === 0 && sent === 0) return
    if (through.records === 0 && open === 0) return yield* deleteState(path)
    const why = yield* saveState(path, {
      version: 1,
      job: checksum,
      records: through.records,
      checksum: through.checksum,
      totals,
      ...(open > through.records ? { sent: open } : {}),
      ...(sentAgain > 0 ? { sent_again: sentAgain } : {}),
      report_bytes: report.bytes()
    })
    if (why === undefined) return
    isKept = false
    yield* remark(
      `Can't save the progress in ${path}. ${why}. If this run is stopped, the next one starts from the first row; imported users won't change.`
    )
  })

  const takeIn = Effect.fnUntraced(function* (
    batch: Pick<Batch, "refused" | "through">,
    { refused, summary: { created, updated, unchanged, orgs_created } }: BatchResult
  ) {
    const all = [...batch.refused, ...refused].toSorted((one, other) => one.line - other.line)
    yield* report.write(all)
    shown.push(...all.slice(0, SHOWN - shown.length))
    hint ||= emailHint(all)
    hasEncodingErrors ||= all.some(({ errors }) => errors.includes(messageOf("line_not_utf8")))
    totals = plus(totals, { created, updated, unchanged, refused: all.length, orgs_created })
    const again = Math.max(0, Math.min(sent, batch.through.records) - through.records)
    sentAgain += Math.min(again, unchanged)
    through = batch.through
    pace.end(input.read(), yield* Clock.currentTimeMillis)
    yield* saveProgress()
    const stop = equal.take(all, totals.refused, rowsOf(totals) > totals.refused)
    if (stop !== undefined) return yield* stop
  })

  /** Sends a batch and processes the response. If stopped, this applies to the rows that were sent. */
  const processBatch = (batch: Batch) =>
    Effect.uninterruptibleMask(
      Effect.fnUntraced(function* (restore) {
        if (batch.rows === 0) return yield* takeIn(batch, nothingSent)
        const calls: Array<ImportCall> = []
        // Stored before the call, in case the run is killed during the call.
        yield* saveProgress(Math.max(sent, batch.through.records))
        const send = Effect.gen(function* () {
          pace.begin(batch, yield* Clock.currentTimeMillis)
          const call = yield* openCall(remote, job.query, batch, (bytes) => pace.send(bytes))
          calls.push(call)
          return yield* call.answer
        })
        const exit = yield* Effect.exit(restore(withRetries(send, isBegun)))
        if (Exit.isSuccess(exit)) {
          const { date } = exit.value
          const warning = isBegun ? undefined : clockWarning(date, yield* Clock.currentTimeMillis)
          if (warning !== undefined) yield* remark(`${warning} Rows with times in the service's future are rejected.`)
          isBegun = true
          sent = Math.max(sent, maxSent(calls.slice(0, -1)))
          const summary = job.query.dryRun ? yield* restore(dryRun(exit.value)) : exit.value.summary
          return yield* takeIn(batch, { ...exit.value, summary })
        }
        const last = calls.at(-1)
        const isStopped = Cause.hasInterruptsOnly(exit.cause) && !job.query.dryRun
        const stopped = isStopped && last !== undefined ? yield* stopCall(last, pace) : undefined
        if (stopped === undefined) {
          sent = Math.max(sent, maxSent(calls))
          yield* saveProgress()
        } else {
          const { answer, cut } = stopped
          sent = Math.max(sent, maxSent(calls.slice(0, -1)))
          yield* takeIn({ refused: batch.refused.slice(0, cut.refused), through: cut.through }, answer)
        }
        return yield* Effect.failCause(exit.cause)
      }, Effect.scoped)
    )

  const records = recordsOf(input, {
    format: job.format,
    encoding: job.encoding,
    preset: job.preset === undefined ? undefined : presets[job.preset],
    onColumns: conversion.onColumns
  })
  const limits = (yield* CallLimits) ?? callLimits
  const batches = batchesOf(records, { conversion, marks, values, limits, from: state })
  // Not awaited, because a pending read (for example, from a terminal) may never end.
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
    yield* processBatch(batch)
  }
  if (path !== undefined) yield* deleteState(path)
  if (marks.fault !== undefined) {
    return yield* new CommandFailed({
      happened: marks.fault,
      todo: "Export again and import the new file; imported users won't change."
    })
  }
  const seconds = ((yield* Clock.currentTimeMillis) - began) / 1000
  return {
    totals,
    before,
    unanswered: sentAgain,
    refused: shown,
    seconds,
    conversion,
    withoutSecrets: marks.withoutSecrets,
    hasEncodingErrors,
    emailHint: hint
  } satisfies Imported
}, Effect.scoped)

/** Imports users. If a file was partly imported before, resumes where the earlier run stopped. */
export const importUsers = Effect.fn("cli.importUsers")(function* (job: ImportJob, remote: Remote) {
  const path = job.file === undefined || job.query.dryRun ? undefined : statePath(job.file)
  const state = path === undefined ? undefined : yield* readState(path, jobChecksum(remote.url, job))
  if (state !== undefined) {
    const [{ totals }, open] = [state, unknownOutcomes(state)]
    const lossNote =
      open === 0
        ? ""
        : ` It sent up to ${count(open, "more row", "more rows")} without a response; those that were imported count as unchanged.`
    const begun =
      state.records === 0
        ? "An earlier run was stopped before its first call was completed. Starting from the first row."
        : `An earlier run processed ${count(rowsOf(totals), "row")}. Resuming after them.`
    yield* remark(`${begun}${lossNote}`)
  }
  return yield* run(job, remote, state).pipe(
    Effect.catchIf(
      (error): error is InputChanged => error instanceof InputChanged,
      () =>
        Effect.andThen(
          remark("The input differs from the earlier run's. Starting from the first row."),
          run(job, remote, undefined)
        )
    ),
    Effect.catchIf((error): error is InputChanged => error instanceof InputChanged, Effect.die)
  )
})
