import { Effect, Option, Stream } from "effect"
import { request } from "../Attempts.ts"
import { type Failure, isFailure } from "../Errors.ts"
import { type ExportLine, ExportRun } from "../ExportRun.ts"
import type { Call, CallOptions, Form, Operation } from "../Form.ts"
import type { ImportSummary } from "../generated/types/ImportSummary.ts"
import type { RefusedRow } from "../generated/types/RefusedRow.ts"
import type { UserRow } from "../generated/types/UserRow.ts"
import { type ImportLine, ImportRun } from "../ImportRun.ts"
import type { Page } from "../List.ts"
import type { Settings } from "../Options.ts"
import { pageOf } from "../Pages.ts"
import { prepare } from "../Requests.ts"
import { type RowSource, streamed } from "../Streams.ts"

/** A list. As an effect, it returns one page. Its `stream` emits all items, and fetches further pages on demand. */
export interface EffectList<A> extends Effect.Effect<Page<A>, Failure> {
  readonly stream: Stream.Stream<A, Failure>
}

/**
 * An import. As an effect, it returns the summary. Its `stream` emits the rejected rows as they are found, and then the
 * summary.
 */
export interface EffectImport extends Effect.Effect<ImportSummary, Failure> {
  readonly stream: Stream.Stream<RefusedRow | ImportSummary, Failure>
}

/**
 * An export. It emits the rows. Its `lines` also emits the start and end markers, which an import uses to check that no
 * line is missing.
 */
export interface EffectExport extends Stream.Stream<UserRow, Failure> {
  readonly lines: Stream.Stream<ExportLine, Failure>
}

/** Results as effects, which fail with a `Failure` and abort their request when interrupted. */
export interface Effects extends Form {
  readonly answer: Effect.Effect<this["A"], Failure>
  readonly list: EffectList<this["A"]>
  readonly rows: Stream.Stream<UserRow | ExportLine> | RowSource<UserRow | ExportLine>
  readonly imported: EffectImport
  readonly exported: EffectExport
}

/** Errors in the call itself, such as an invalid ID, become defects. */
const orDie = (error: unknown): Effect.Effect<never, Failure> =>
  isFailure(error) ? Effect.fail(error) : Effect.die(error)

const joined = (given: AbortSignal | undefined, own: AbortSignal): AbortSignal =>
  given === undefined ? own : AbortSignal.any([given, own])

/** Runs a promise; interrupting the effect aborts its signal. */
const fromPromise = <A>(
  { route }: Operation,
  options: CallOptions | undefined,
  run: (options: CallOptions) => Promise<A>
): Effect.Effect<A, Failure> =>
  Effect.tryPromise({
    try: (signal) => run({ ...options, signal: joined(options?.signal, signal) }),
    catch: (error) => error
  }).pipe(Effect.catch(orDie), Effect.withSpan(route, { kind: "client" }))

/** Streams an async iterable; ending the stream aborts its signal. */
const fromIterable = <A>(
  options: CallOptions | undefined,
  open: (options: CallOptions) => AsyncIterable<A>
): Stream.Stream<A, Failure> =>
  Stream.unwrap(
    Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort())
    ).pipe(
      Effect.map(({ signal }) =>
        Stream.fromAsyncIterable(open({ ...options, signal: joined(options?.signal, signal) }), (error) => error)
      )
    )
  ).pipe(Stream.catch((error) => Stream.fromEffect(orDie(error))))

/** Converts rows, or a stream of rows, to an iterable. */
const iterated = <A extends object>(rows: Stream.Stream<A> | RowSource<A>): RowSource<A> =>
  Stream.isStream(rows) ? Stream.toAsyncIterable(rows) : rows

/** Calls the API with `fetch`, as effects. */
export class EffectCall implements Call<Effects> {
  private readonly settings: Settings

  constructor(settings: Settings) {
    this.settings = settings
  }

  one<A>(
    operation: Operation,
    path: ReadonlyArray<string>,
    parameters?: object,
    options?: CallOptions
  ): Effect.Effect<A, Failure> {
    return fromPromise(operation, options, async (given) =>
      request<A>(this.settings, prepare(this.settings, operation, path, parameters, given), given)
    )
  }

  list<A>(
    operation: Operation,
    path: ReadonlyArray<string>,
    parameters?: object,
    options?: CallOptions
  ): EffectList<A> {
    const pageAfter = (after: string | undefined) =>
      fromPromise(operation, options, (given) => pageOf<A>(this.settings, operation, path, parameters, given, after))
    const first: string | undefined = undefined
    const stream = Stream.paginate(first, (after: string | undefined) =>
      Effect.map(pageAfter(after), (page) => [page.items, Option.fromUndefinedOr(page.after)] as const)
    )
    return Object.assign(pageAfter(undefined), { stream })
  }

  import(operation: Operation, rows: Effects["rows"], parameters?: object, options?: CallOptions): EffectImport {
    const lines = (given: CallOptions) =>
      streamed<ImportLine>(
        this.settings,
        prepare(this.settings, operation, [], parameters, given),
        iterated(rows),
        given
      )
    const summary = fromPromise(operation, options, async (given) => new ImportRun(operation.route, lines(given)))
    return Object.assign(summary, { stream: fromIterable(options, lines) })
  }

  export(operation: Operation, parameters?: object, options?: CallOptions): EffectExport {
    const run = (given: CallOptions) =>
      new ExportRun(operation.route, () =>
        streamed<ExportLine>(this.settings, prepare(this.settings, operation, [], parameters, given), undefined, given)
      )
    const rows = fromIterable(options, run)
    return Object.assign(rows, { lines: fromIterable(options, (given) => run(given).lines()) })
  }
}
