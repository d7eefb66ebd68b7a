/** An answer that is no success, thrown from wherever it is found. */
export class Refusal extends Error {
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
