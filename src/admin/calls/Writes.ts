import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { Sallyport } from "#client/Sallyport"
import { type Key, keyIn } from "./Reads.ts"
import { useScope } from "./Scope.tsx"

/** A write: an SDK call, which can also be displayed instead of being made. */
export type Write<A> = (sdk: Sallyport) => Promise<A>

interface WriteOptions<A> {
  /** The cached reads to invalidate. Default: everything of the realm. */
  readonly changes?: ReadonlyArray<Key>
  readonly onDone?: (answer: A) => void
  readonly onProblem?: (problem: unknown) => void
}

/** Makes a write, then invalidates the reads that it changes. */
export const useWrite = <A>(write: Write<A>, { changes = [[]], onDone, onProblem }: WriteOptions<A> = {}) => {
  const { realmId, sdk } = useScope()
  const reads = useQueryClient()
  return useMutation({
    mutationFn: () => write(sdk),
    onSuccess: async (answer) => {
      onDone?.(answer)
      await Promise.all(changes.map((key) => reads.invalidateQueries({ queryKey: keyIn(realmId, key) })))
    },
    onError: (problem) => onProblem?.(problem)
  })
}
