import { Cause, Clock, Data, Duration, Effect, Result, Stream } from "effect"
import type { WireError } from "#api/Errors"
import { MAX_PROBLEMS } from "#api/InvalidRequest"
import type { ImportSummary, RefusedRow as RefusedLine } from "#api/imports/V2"
import type { ImportRun } from "#core/imports/Imports"
import type { CallerIdentity } from "#domain/Caller"
import { type ImportConflict, type ImportRow, type ImportTotals, MAX_ROWS, type RefusedRow } from "#domain/ImportRow"
import { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { type Problem, problem } from "#domain/Rejected"
import { CurrentRequestContext } from "#platform/RequestContext"
import { unavailabilityIn } from "#platform/Transaction"
import { callerAnnotation } from "../CallerAnnotation.ts"
import { errorMembersOf, unavailableProblem } from "../Errors.ts"
import { batchesOf } from "./Batches.ts"
import { ExportCheck } from "./ExportCheck.ts"
import type { Line } from "./LineReader.ts"
import { NO_OBJECT } from "./RowObject.ts"
import { rowOf } from "./Rows.ts"

/** The maximum time to wait for the next part of the body. */
const BODY_TIMEOUT = Duration.seconds(30)

/** The maximum number of times a batch is retried, once per second, while the database is unavailable or overloaded. */
const MAX_RETRIES = 10

/** The import yields to other work of the process after this many rows, or after this many bytes of rows. */
const ROWS_AT_A_TURN = 20
const BYTES_AT_A_TURN = 16 * 1024

/** The number of response lines to buffer for a caller who sends all rows before reading. */
const BUFFERED_LINES = 10_000

/** The import stops if this many lines contain no object before the first one that does. */
const LINES_WITHOUT_ROWS = 100

/** Ends the import early. `problem` is the reason. */
class Ended extends Data.TaggedError("Ended")<{ readonly problem: Problem }> {}

const ended = (code: string, params?: Problem["params"]) => new Ended({ problem: problem(null, code, params) })

const problemOf = (cause: Cause.Cause<Ended | ImportConflict | RealmNotFound>): Problem => {
  const unavailable = unavailabilityIn(cause)
  if (unavailable !== undefined) return unavailableProblem(unavailable)
  const failure = Cause.findErrorOption(cause)
  if (failure._tag === "None") return problem(null, "internal")
  if (failure.value instanceof Ended) return failure.value.problem
  return failure.value instanceof RealmNotFound ? problem("realm", "not_found") : problem(null, "import_conflict")
}

/** Parses the lines of a batch, and separates the valid rows from the rejected ones. */
const readRows = Effect.fnUntraced(function* (lines: ReadonlyArray<Line>) {
  const [rows, refused]: [Array<ImportRow>, Array<RefusedRow>] = [[], []]
  let [rowsOfTurn, bytesOfTurn] = [0, 0]
  for (const { number: line, text, unreadable = "line_not_utf8", bytes } of lines) {
    if (rowsOfTurn >= ROWS_AT_A_TURN || bytesOfTurn >= BYTES_AT_A_TURN) {
      yield* Effect.yieldNow
      ;[rowsOfTurn, bytesOfTurn] = [0, 0]
    }
    rowsOfTurn += 1
    bytesOfTurn += bytes
    const row =
      text === null ? Result.fail({ reference: null, problems: [problem(null, unreadable)] }) : rowOf(text, line)
    if (Result.isSuccess(row)) rows.push(row.success)
    else refused.push({ line, ...row.failure })
  }
  return { rows, refused }
})

const holdsNoObject = ({ problems }: RefusedRow): boolean => problems.some(({ code }) => NO_OBJECT.has(code))

/** Returns the rejected lines of a batch that come before its first line with an object. */
const linesBeforeObjects = ([row]: ReadonlyArray<ImportRow>, refused: ReadonlyArray<RefusedRow>) => {
  const end = refused.findIndex((one) => !holdsNoObject(one) || (row !== undefined && one.line > row.line))
  return end === -1 ? refused : refused.slice(0, end)
}

const rowsOf = ({ created, updated, unchanged, refused }: ImportTotals): number =>
  created + updated + unchanged + refused

/** Retries a batch while the database is unreachable. A retry is safe because a failed transaction has written nothing. */
const retrying = <A, E, R>(write: Effect.Effect<A, E, R>, retries = 0): Effect.Effect<A, E, R> =>
  Effect.catchCause(write, (cause) =>
    unavailabilityIn(cause) === undefined || retries >= MAX_RETRIES
      ? Effect.failCause(cause)
      : Effect.andThen(Effect.sleep("1 second"), retrying(write, retries + 1))
  )

/** The input of an import. `stopping` completes when the node is about to stop. */
interface ImportInput {
  readonly run: ImportRun
  readonly dryRun: boolean
  /** The ID of the caller's API key. */
  readonly by: CallerIdentity
  readonly stopping: Effect.Effect<void>
  /** Fails if the caller has lost the access that the import requires. */
  readonly reauthenticate: Effect.Effect<void, WireError>
}

/** Imports the rows of a body. The response has a line for each rejected row, and a summary at the end. */
export const importResponse = <E>(
  body: Stream.Stream<Uint8Array, E>,
  { run, dryRun, by, stopping, reauthenticate }: ImportInput
) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const context = yield* CurrentRequestContext
      const realm = yield* CurrentRealm
      const stopped = Effect.andThen(stopping, Effect.fail(ended("stopping")))
      const began = yield* Clock.currentTimeMillis
      let [read, problems]: [number, ReadonlyArray<Problem>] = [0, []]
      const check = new ExportCheck()
      let isComplete = false
      /** The number of lines without an object so far, or undefined once an object was found. */
      let withoutRows: number | undefined = 0

      const refusedLine = ({ line, reference, problems: wrong }: RefusedRow): typeof RefusedLine.Type => ({
        object: "refused_row",
        line,
        reference,
        ...errorMembersOf(wrong, context, MAX_PROBLEMS.row)
      })

      const stillAllowed = Effect.mapError(
        reauthenticate,
        ({ error_details: [detail] }) => new Ended({ problem: detail ?? problem(null, "internal") })
      )

      const importLines = Effect.fnUntraced(function* (lines: ReadonlyArray<Line>) {
        const sent = lines.filter(({ text }) => !check.take(text))
        const accepted = sent.slice(0, MAX_ROWS - read)
        read += accepted.length
        const { rows, refused } = yield* readRows(accepted)
        if (withoutRows !== undefined) {
          const first = linesBeforeObjects(rows, refused).slice(0, LINES_WITHOUT_ROWS - withoutRows)
          withoutRows += first.length
          if (withoutRows === LINES_WITHOUT_ROWS) {
            for (const _ of first) run.countUnreadable()
            return { report: first.map(refusedLine), end: ended("no_rows", { lines: LINES_WITHOUT_ROWS }) }
          }
          if (first.length < accepted.length) withoutRows = undefined
        }
        const others = rows.length === 0 ? [] : yield* retrying(Effect.andThen(stillAllowed, run.write(rows)))
        for (const _ of refused) run.countUnreadable()
        const report = [...refused, ...others].toSorted((a, b) => a.line - b.line).map(refusedLine)
        return { report, end: accepted.length < sent.length ? ended("too_many_rows", { most: MAX_ROWS }) : undefined }
      })

      const refusals = body.pipe(
        Stream.mapError(() => ended("sender_gone")),
        Stream.timeoutOrElse({
          duration: BODY_TIMEOUT,
          orElse: () => Stream.fail(ended("sender_stalled", { seconds: Duration.toSeconds(BODY_TIMEOUT) }))
        }),
        Stream.interruptWhen(stopped),
        batchesOf,
        Stream.mapEffect(importLines),
        Stream.flatMap(({ report, end }) => {
          const lines = Stream.fromArray(report)
          return end === undefined ? lines : Stream.concat(lines, Stream.fail(end))
        }),
        Stream.concat(
          Stream.suspend(() => {
            problems = check.missing === undefined ? [] : [check.missing]
            return Stream.empty
          })
        ),
        Stream.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Stream.failCause(cause)
            : Stream.fromEffectDrain(
                Effect.gen(function* () {
                  const why = problemOf(cause)
                  problems = [why]
                  if (why.code === "internal")
                    yield* Effect.logError("An import failed unexpectedly.").pipe(
                      Effect.annotateLogs({ request_id: context.requestId, cause: Cause.pretty(cause) })
                    )
                })
              )
        )
      )

      const summary = (): typeof ImportSummary.Type => {
        const { orgsCreated, ...totals } = run.totals
        isComplete = true
        return {
          object: "import",
          realm_id: realm.id,
          complete: problems.length === 0,
          dry_run: dryRun,
          rows: rowsOf(run.totals),
          created: totals.created,
          updated: totals.updated,
          unchanged: totals.unchanged,
          refused: totals.refused,
          orgs_created: orgsCreated,
          ...errorMembersOf(problems, context),
          request_id: context.requestId
        }
      }

      /**
       * An import without events for each change leaves few traces, so its outcome is logged, even if its caller has
       * disconnected.
       */
      const logEnd = Effect.gen(function* () {
        const { orgsCreated, ...totals } = run.totals
        const reason = isComplete ? problems[0]?.code : "sender_gone"
        const entry =
          reason === undefined ? Effect.logInfo("An import has ended.") : Effect.logWarning("An import has ended.")
        yield* entry.pipe(
          Effect.annotateLogs({
            request_id: context.requestId,
            ...callerAnnotation(by),
            realm: realm.id,
            complete: reason === undefined,
            ...(reason === undefined ? {} : { reason }),
            dry_run: dryRun,
            rows: rowsOf(run.totals),
            ...totals,
            orgs_created: orgsCreated,
            ms: (yield* Clock.currentTimeMillis) - began
          })
        )
      })

      /** Ignores a failure to record the end, so that the end is still logged. */
      const end = (write: Effect.Effect<void, RealmNotFound, CurrentRealm>) =>
        Effect.catchCause(write, () => Effect.void)

      return Stream.concat(
        refusals,
        Stream.fromEffect(Effect.map(end(Effect.suspend(() => retrying(run.end(problems.length === 0)))), summary))
      ).pipe(
        Stream.ensuring(end(Effect.suspend(() => run.end(false)))),
        Stream.ensuring(logEnd),
        Stream.buffer({ capacity: BUFFERED_LINES })
      )
    })
  )
