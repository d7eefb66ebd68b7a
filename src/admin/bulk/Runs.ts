import { ConnectionFailed } from "#client/Errors"
import type { Sallyport } from "#client/Sallyport"

/** Reverts the change of one item. */
export type Undo = (sdk: Sallyport) => Promise<unknown>

/** An item of a bulk action. */
export interface BulkItem {
  readonly id: string
  readonly name: string
  /** The path of its page. */
  readonly path: string
  /** Makes the change. Resolves with its reversal, if it can be reverted. */
  readonly run: (sdk: Sallyport) => Promise<Undo | undefined>
}

/** An action on several items. */
export interface BulkAction {
  /** The messages while it runs and afterwards, such as "Deactivating 3 of 12" and "12 users deactivated". */
  readonly running: (done: number, total: number) => string
  readonly done: (count: number) => string
  readonly items: ReadonlyArray<BulkItem>
}

export interface Failure {
  readonly item: BulkItem
  readonly error: unknown
}

/** How far a bulk action is. */
export interface Progress {
  readonly succeeded: number
  readonly failures: ReadonlyArray<Failure>
  /** The items that haven't been attempted. */
  readonly left: ReadonlyArray<BulkItem>
  /** The successful items that can be reverted, with their reversals. */
  readonly undos: ReadonlyArray<BulkItem>
}

/** The number of calls at the same time. */
const PARALLEL = 4

const undoOf = (item: BulkItem, undo: Undo): BulkItem => ({
  ...item,
  run: async (sdk) => {
    await undo(sdk)
    return undefined
  }
})

/**
 * Runs an action on its items, a few at a time, until all are done, `signal` is aborted or the service can't be reached.
 * Calls already started are completed.
 */
export const runBulk = async (
  sdk: Sallyport,
  items: ReadonlyArray<BulkItem>,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void
): Promise<void> => {
  let progress: Progress = { succeeded: 0, failures: [], left: items, undos: [] }
  let isUnreachable = false
  const work = async () => {
    for (;;) {
      const [item, ...left] = progress.left
      if (item === undefined || signal.aborted || isUnreachable) return
      progress = { ...progress, left }
      try {
        const undo = await item.run(sdk)
        const undos = undo === undefined ? progress.undos : [...progress.undos, undoOf(item, undo)]
        progress = { ...progress, succeeded: progress.succeeded + 1, undos }
      } catch (error) {
        isUnreachable ||= error instanceof ConnectionFailed
        progress = { ...progress, failures: [...progress.failures, { item, error }] }
      }
      onProgress(progress)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
}
