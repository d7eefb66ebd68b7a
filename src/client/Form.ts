/**
 * The form of results: promises or effects. The functions of the API are written once for all forms. A form extends
 * this interface, and uses `this["A"]` for the type of a result.
 */
export interface Form {
  readonly A: unknown
  /** A single result. */
  readonly answer: unknown
  /** A list, by page or by item. */
  readonly list: unknown
  /** The source of an import's rows. */
  readonly rows: unknown
  /** A running import. */
  readonly imported: unknown
  /** The rows of an export. */
  readonly exported: unknown
}

/** A single result of type `A` in a form. */
export type Answer<F extends Form, A> = (F & { readonly A: A })["answer"]

/** A list of items of type `A` in a form. */
export type Listed<F extends Form, A> = (F & { readonly A: A })["list"]

/** The source of an import's rows in a form. */
export type Rows<F extends Form> = F["rows"]

/** A running import in a form. */
export type Imported<F extends Form> = F["imported"]

/** The rows of an export in a form. */
export type Exported<F extends Form> = F["exported"]

/** The options of one call. */
export interface CallOptions {
  /**
   * Makes it safe to repeat a call: for 24 hours, the service returns the first response again for the same key and
   * parameters. 1 to 255 visible ASCII characters. Default: a random key for each `create`, and none for other calls.
   */
  readonly idempotencyKey?: string | undefined
  /** The timeout of one attempt, in milliseconds. Default: the client's. */
  readonly timeout?: number | undefined
  /** The maximum number of retries after a failed attempt, if retrying is safe. Default: the client's. */
  readonly retries?: number | undefined
  /** Cancels the call when aborted. The call's promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Additional headers, such as `Accept-Language` for the language of errors, or `X-Request-Id`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The realm of the call, for API keys that are not bound to one. Default: the client's. */
  readonly realmId?: string | undefined
  /** The base URL to call, such as a connected app's. Default: the client's. */
  readonly url?: string | undefined
}

/** The target of a redirect response. */
export interface Redirect {
  readonly location: string
}

/** The description of an operation: an entry in the table of operations. */
export interface Operation {
  /** The method and path, such as `GET /v2/users/{user_id}`. */
  readonly route: string
  /** The member of the body that contains the parameters. Default: the body consists of the parameters. */
  readonly wrapper?: string
  /** The parameters that are sent in the query although there is a body. */
  readonly query?: ReadonlyArray<string>
  /** The place of the realm. Default: the query. `none`: the realm is sent only if the caller provides it. */
  readonly realm?: "body" | "none"
  /** Whether the call gets an `Idempotency-Key`, so that it can be retried. */
  readonly isCreate?: true
  /** Whether the operation works without an API key. */
  readonly isOpen?: true
  /** Whether the operation responds with a redirect. */
  readonly isRedirect?: true
}

/** The functions that call the API. */
export interface Call<F extends Form> {
  /** `path`: the values of the path parameters, in order. */
  one<A>(
    operation: Operation,
    path: ReadonlyArray<string>,
    parameters: object | undefined,
    options: CallOptions | undefined
  ): Answer<F, A>
  list<A>(
    operation: Operation,
    path: ReadonlyArray<string>,
    parameters: object | undefined,
    options: CallOptions | undefined
  ): Listed<F, A>
  import(
    operation: Operation,
    rows: Rows<F>,
    parameters: object | undefined,
    options: CallOptions | undefined
  ): Imported<F>
  export(operation: Operation, parameters: object | undefined, options: CallOptions | undefined): Exported<F>
}
