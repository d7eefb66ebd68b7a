import { useQueryClient } from "@tanstack/react-query"
import { problemOf } from "../calls/Problems.ts"
import { type Key, keyIn } from "../calls/Reads.ts"
import { useScope } from "../calls/Scope.tsx"
import type { Write } from "../calls/Writes.ts"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { type Toast, useToast } from "./Toast.tsx"

interface Act<A> {
  readonly write: Write<A>
  /** The message shown afterwards, such as "Ada Lovelace was deactivated", or the message, link and next action for a result. */
  readonly text: string | ((answer: A) => Pick<Toast, "text" | "link" | "action">)
  /** Returns the write that undoes the action, given the action's result. Missing if it can't be undone. */
  readonly undo?: (answer: A) => Write<unknown>
  /** The cached reads to invalidate. Default: everything of the realm. */
  readonly changes?: ReadonlyArray<Key>
}

/** Performs an action immediately, without confirmation, and shows the result in a toast. */
export const useAct = () => {
  const { realmId, sdk } = useScope()
  const reads = useQueryClient()
  const toast = useToast()
  const t = useTexts(common)
  return async <A>({ write, text, undo, changes = [[]] }: Act<A>): Promise<void> => {
    const reload = () => Promise.all(changes.map((key) => reads.invalidateQueries({ queryKey: keyIn(realmId, key) })))
    const fail = (error: unknown) => toast({ text: problemOf(error, t).sentences.join(" ") })
    try {
      const answer = await write(sdk)
      const back = undo?.(answer)
      const takeBack = async () => {
        await back?.(sdk)
        await reload()
      }
      const shown = typeof text === "string" ? { text } : text(answer)
      toast({ ...shown, ...(back === undefined ? {} : { undo: () => void takeBack().catch(fail) }) })
    } catch (error) {
      fail(error)
    }
    await reload()
  }
}
