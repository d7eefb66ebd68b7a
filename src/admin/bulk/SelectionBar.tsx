import { X } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import type { Selection } from "../ui/Selection.ts"
import { useBulk } from "./BulkProvider.tsx"
import { bulkTexts } from "./Texts.ts"

interface SelectionBarProps<A> {
  readonly selection: Selection<A>
  /** Reads all items that match the filters. Missing if all of them are shown. */
  readonly readAll?: (() => Promise<ReadonlyArray<A>>) | undefined
  /** The number of items that match, as shown. */
  readonly total: string | undefined
  /** The buttons of the actions. */
  readonly children: ReactNode
}

/** The number of selected rows and the actions on them, at the bottom of the window. */
export const SelectionBar = <A,>({ selection, readAll, total, children }: SelectionBarProps<A>) => {
  const t = useTexts(bulkTexts)
  const { language } = useLanguage()
  const { isRunning } = useBulk()
  const [isReading, setReading] = useState(false)
  const [error, setError] = useState<unknown>(null)
  if (selection.items.length === 0 || isRunning) return null
  const selectAll = async () => {
    setReading(true)
    setError(null)
    try {
      selection.select((await readAll?.()) ?? [])
    } catch (problem) {
      setError(problem)
    }
    setReading(false)
  }
  return (
    <div className="bulk-bar selection-bar" role="region" aria-label={t.selection}>
      <strong role="status">{t.selected(selection.items.length.toLocaleString(language))}</strong>
      {readAll === undefined || total === undefined || selection.extent !== "all" ? null : (
        <Button small kind="quiet" pending={isReading} onClick={() => void selectAll()}>
          {isReading ? t.selecting : t.selectTotal(total)}
        </Button>
      )}
      <span className="bulk-actions">{children}</span>
      <Button kind="quiet" small label={t.clear} onClick={selection.clear}>
        <X aria-hidden />
      </Button>
      <ProblemNote error={error} />
    </div>
  )
}
