import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { Sallyport } from "#client/Sallyport"
import { type Key, keyIn } from "./Reads.ts"
import { useScope } from "./Scope.tsx"

/** A write: a call of the SDK, which can also be shown instead of made. */
export type Write<A> = (sdk: Sallyport) => Promise<A>

interface WriteOptions<A> {
  /** What was read before and may have changed. Default: everything of the realm. */
  readonly changes?: ReadonlyArray<Key>
  readonly onDone?: (answer: A) => void
  readonly onProblem?: (problem: unknown) => void
}

/** Makes a write, then has read again what it changes. */
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
