/**
 * How answers come: as promises, or as effects. The functions of the API are written once, for any form. A form extends this
 * interface and says with `this["A"]` what an answer of type `A` is in it.
 */
export interface Form {
  readonly A: unknown
  /** One answer. */
  readonly answer: unknown
  /** A list, page by page or item by item. */
  readonly list: unknown
  /** What an import takes its rows from. */
  readonly rows: unknown
  /** A running import. */
  readonly imported: unknown
  /** The rows of an export. */
  readonly exported: unknown
}

/** One answer of type `A` in a form. */
export type Answer<F extends Form, A> = (F & { readonly A: A })["answer"]

/** A list of items of type `A` in a form. */
export type Listed<F extends Form, A> = (F & { readonly A: A })["list"]

/** What an import takes its rows from in a form. */
export type Rows<F extends Form> = F["rows"]

/** A running import in a form. */
export type Imported<F extends Form> = F["imported"]

/** The rows of an export in a form. */
export type Exported<F extends Form> = F["exported"]

/** Options of one call. */
export interface CallOptions {
  /**
   * Makes a repeated call harmless: the service answers the same key and parameters with its first answer, for 24 hours. Any 1 to
   * 255 visible ASCII characters. Default: a random one for each `create`, none for other calls.
   */
  readonly idempotencyKey?: string | undefined
  /** How long one attempt may take, in milliseconds. Default: that of the client. */
  readonly timeout?: number | undefined
  /** How often a failed attempt is repeated, where that is safe. Default: that of the client. */
  readonly retries?: number | undefined
  /** Ends the call when it is aborted; its promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** More headers, such as `Accept-Language` for the language of errors, or `X-Request-Id`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The realm of the call, for a key that is not locked to one. Default: that of the client. */
  readonly realmId?: string | undefined
  /** The address to call, such as that of a connected app. Default: that of the client. */
  readonly url?: string | undefined
}

/** Where the answer of an operation leads. */
export interface Redirect {
  readonly location: string
}

/** How an operation is called: an entry of the table of operations. */
export interface Operation {
  /** Method and path, such as `GET /v2/users/{user_id}`. */
  readonly route: string
  /** The member of the body that holds the parameters. Default: they are the body. */
  readonly wrapper?: string
  /** Parameters that go into the query although there is a body. */
  readonly query?: ReadonlyArray<string>
  /** Where the realm goes: into the query unless it says otherwise. `none`: only where the caller names it. */
  readonly realm?: "body" | "none"
  /** Whether the call gets an `Idempotency-Key`, so that it can be repeated. */
  readonly isCreate?: true
  /** Whether it needs no key. */
  readonly isOpen?: true
  /** Whether its success leads elsewhere. */
  readonly isRedirect?: true
}

/** A way to call the API. */
export interface Call<F extends Form> {
  /** `path`: the values of the path, in their order. */
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
