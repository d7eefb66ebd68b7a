/** What a request is made with. */
export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string | ReadableStream<Uint8Array>
  readonly signal: AbortSignal
  readonly redirect: "manual"
  readonly duplex?: "half"
}

/** The chunks of a body. */
export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  cancel(reason?: unknown): Promise<void>
}

/** What is read of a response. */
export interface FetchResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: { getReader(): BodyReader } | null
  text(): Promise<string>
}

/** `fetch`, as far as the client uses it: that of the platform, or another with the same behaviour. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>
