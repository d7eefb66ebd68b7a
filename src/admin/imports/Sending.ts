import { Unavailable } from "#client/Errors"
import type { UserRow } from "#client/generated/types/UserRow"
import type { Sallyport } from "#client/Sallyport"

/** A row to send, with its line in the file. */
export interface SourceRow {
  readonly line: number
  readonly row: UserRow
}

/** A rejected row with its errors. */
export interface RejectedRow {
  readonly line: number
  readonly reference: string
  readonly errors: ReadonlyArray<string>
}

/** The progress of an import. */
export interface Progress {
  /** The number of rows sent. */
  readonly done: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly orgs: number
  readonly refused: ReadonlyArray<RejectedRow>
}

export const noProgress: Progress = { done: 0, created: 0, updated: 0, unchanged: 0, orgs: 0, refused: [] }

/** The number of rows per call, small enough to show progress. */
const BATCH = 500

interface Sending {
  readonly dry_run: boolean
  /** Whether to record an event for each change. */
  readonly events: boolean
  readonly signal: AbortSignal
  /** Called with the progress after each call. */
  readonly onProgress: (progress: Progress) => void
}

/**
 * Sends the rows in batches, starting where an earlier attempt stopped. Rejects if a call fails. Another attempt can
 * then resume from the last reported progress.
 */
export const send = async (
  sdk: Sallyport,
  rows: ReadonlyArray<SourceRow>,
  from: Progress,
  { dry_run, events, signal, onProgress }: Sending
): Promise<Progress> => {
  let progress = from
  while (progress.done < rows.length) {
    const batch = rows.slice(progress.done, progress.done + BATCH)
    const run = sdk.imports.import(
      batch.map(({ row }) => row),
      { dry_run, events },
      { signal }
    )
    const refused: Array<RejectedRow> = []
    for await (const { line, reference, errors } of run)
      refused.push({ line: batch[line - 1]?.line ?? line, reference: reference ?? "", errors })
    const summary = await run
    if (!summary.complete) {
      const { errors, request_id: requestId } = summary
      throw new Unavailable({ route: "POST /v2/imports", message: errors.join(" "), errors, requestId })
    }
    progress = {
      done: progress.done + batch.length,
      created: progress.created + summary.created,
      updated: progress.updated + summary.updated,
      unchanged: progress.unchanged + summary.unchanged,
      orgs: progress.orgs + summary.orgs_created,
      refused: [...progress.refused, ...refused]
    }
    onProgress(progress)
  }
  return progress
}
