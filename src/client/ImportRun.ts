import { ConnectionFailed } from "./Errors.ts"
import type { ImportSummary } from "./generated/types/ImportSummary.ts"
import type { RefusedRow } from "./generated/types/RefusedRow.ts"

/** A line of the answer to an import. */
export type ImportLine = RefusedRow | ImportSummary

/**
 * A running import. Iterated over, it gives the rows that are refused, as soon as that is known; awaited, the summary at its end.
 * It begins with the first of both, and passes its rows over once.
 */
export class ImportRun implements PromiseLike<ImportSummary>, AsyncIterable<RefusedRow> {
  private readonly route: string
  private readonly lines: AsyncIterator<ImportLine>
  private summary: Promise<ImportSummary> | undefined
  private last: ImportSummary | undefined

  constructor(route: string, lines: AsyncIterator<ImportLine>) {
    this.route = route
    this.lines = lines
  }

  /** The next refused row; undefined at the end, when there is a summary. */
  private async next(): Promise<RefusedRow | undefined> {
    while (this.last === undefined) {
      const { done, value } = await this.lines.next()
      if (done === true)
        throw new ConnectionFailed({
          route: this.route,
          message: "The import ended without a summary. Send the rows again."
        })
      if (value.object === "refused_row") return value
      this.last = value
    }
    // What is read to its end gives its connection back.
    await this.lines.next()
    return undefined
  }

  private async finish(): Promise<ImportSummary> {
    while ((await this.next()) !== undefined) continue
    if (this.last === undefined) throw new Error("An import that has ended has a summary.")
    return this.last
  }

  then<B = ImportSummary, C = never>(
    onFulfilled?: ((summary: ImportSummary) => B | PromiseLike<B>) | null,
    onRejected?: ((error: unknown) => C | PromiseLike<C>) | null
  ): Promise<B | C> {
    this.summary ??= this.finish()
    return this.summary.then(onFulfilled, onRejected)
  }

  /** Who stops in between ends the import: what was written stays, and the rest is not sent. */
  async *[Symbol.asyncIterator](): AsyncGenerator<RefusedRow, void, undefined> {
    try {
      for (let row = await this.next(); row !== undefined; row = await this.next()) yield row
    } finally {
      if (this.last === undefined) await this.lines.return?.()
    }
  }
}
