import { request } from "./Attempts.ts"
import { type ExportLine, ExportRun } from "./ExportRun.ts"
import type { Call, CallOptions, Form, Operation } from "./Form.ts"
import type { UserRow } from "./generated/types/UserRow.ts"
import { V1 } from "./generated/v1/V1.ts"
import { V2 } from "./generated/v2/V2.ts"
import { type ImportLine, ImportRun } from "./ImportRun.ts"
import { List } from "./List.ts"
import { type SallyportOptions, type Settings, settingsOf } from "./Options.ts"
import { pageOf } from "./Pages.ts"
import { prepare } from "./Requests.ts"
import { type RowSource, streamed } from "./Streams.ts"

/** The result types of a client that returns promises. */
export interface Promises extends Form {
  readonly answer: Promise<this["A"]>
  readonly list: List<this["A"]>
  readonly rows: RowSource<UserRow | ExportLine>
  readonly imported: ImportRun
  readonly exported: ExportRun
}

/** Calls the API with `fetch`. */
class PromiseCall implements Call<Promises> {
  private readonly settings: Settings

  constructor(settings: Settings) {
    this.settings = settings
  }

  async one<A>(
    operation: Operation,
    path: ReadonlyArray<string>,
    parameters?: object,
    options?: CallOptions
  ): Promise<A> {
    return request<A>(this.settings, prepare(this.settings, operation, path, parameters, options), options)
  }

  list<A>(operation: Operation, path: ReadonlyArray<string>, parameters?: object, options?: CallOptions): List<A> {
    return new List((after) => pageOf<A>(this.settings, operation, path, parameters, options, after))
  }

  import(operation: Operation, rows: RowSource<object>, parameters?: object, options?: CallOptions): ImportRun {
    const prepared = prepare(this.settings, operation, [], parameters, options)
    return new ImportRun(operation.route, streamed<ImportLine>(this.settings, prepared, rows, options))
  }

  export(operation: Operation, parameters?: object, options?: CallOptions): ExportRun {
    const prepared = prepare(this.settings, operation, [], parameters, options)
    return new ExportRun(operation.route, () => streamed<ExportLine>(this.settings, prepared, undefined, options))
  }
}

/**
 * A client of the service: the current version of the API by resource, and version 1 under `v1`.
 *
 * ```ts
 * const sallyport = new Sallyport({ url: "https://id.example.com", key: process.env.SALLYPORT_KEY })
 * const user = await sallyport.users.create({ realm_id, email: "ada@example.com", credentials: [] })
 * ```
 *
 * Throws a TypeError if the URL or the key is invalid. Calls reject with a `SallyportError`.
 */
export class Sallyport extends V2<Promises> {
  /** Version 1 of the API. */
  readonly v1: V1<Promises>

  constructor(options: SallyportOptions) {
    const call = new PromiseCall(settingsOf(options))
    super(call)
    this.v1 = new V1(call)
  }
}
