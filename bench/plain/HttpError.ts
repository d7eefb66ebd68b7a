/** An error response. Any function that handles a request may throw it. */
export class HttpError extends Error {
  readonly status: number
  readonly field: string | null
  readonly code: string

  constructor(status: number, field: string | null, code: string, message: string) {
    super(message)
    this.status = status
    this.field = field
    this.code = code
  }
}
