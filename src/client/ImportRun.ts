import { ConnectionFailed } from "./Errors.ts"
import type { ImportSummary } from "./generated/types/ImportSummary.ts"
import type { RefusedRow } from "./generated/types/RefusedRow.ts"

/** A line of an import's response. */
export type ImportLine = RefusedRow | ImportSummary

/**
 * A running import. Iterate over it to get rejected rows as they are found, or await it to get the final summary. The
 * import starts with whichever comes first, and sends its rows only once.
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

  /** Returns the next rejected row, or undefined at the end, after the summary. */
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
    // Reading to the end releases the connection.
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

  /**
   * Yields the rejected rows. Stopping the iteration ends the import: rows that were already written stay, and the rest
   * is not sent.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<RefusedRow, void, undefined> {
    try {
      for (let row = await this.next(); row !== undefined; row = await this.next()) yield row
    } finally {
      if (this.last === undefined) await this.lines.return?.()
    }
  }
}
