/** The options of a request. */
export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string | ReadableStream<Uint8Array>
  readonly signal: AbortSignal
  readonly redirect: "manual"
  readonly duplex?: "half"
}

/** Reads the chunks of a body. */
export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  cancel(reason?: unknown): Promise<void>
}

/** The parts of a response that the client uses. */
export interface FetchResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: { getReader(): BodyReader } | null
  text(): Promise<string>
}

/** The subset of `fetch` that the client uses. The platform's `fetch` and compatible functions have this type. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>
