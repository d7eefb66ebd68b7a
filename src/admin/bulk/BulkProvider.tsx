import { useQueryClient } from "@tanstack/react-query"
import { X } from "lucide-react"
import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from "react"
import { Link } from "wouter"
import { problemOf } from "../calls/Problems.ts"
import { keyIn } from "../calls/Reads.ts"
import { useScope } from "../calls/Scope.tsx"
import { guardTab } from "../history/UnsavedChanges.ts"
import { common } from "../texts/CommonTexts.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { type BulkAction, type BulkItem, type Progress, runBulk } from "./Runs.ts"
import { bulkTexts } from "./Texts.ts"

interface Run {
  readonly action: BulkAction
  readonly progress: Progress
  readonly isRunning: boolean
}

interface Bulk {
  /** Starts an action. It continues when another page is opened. */
  readonly start: (action: BulkAction) => void
  readonly isRunning: boolean
}

const BulkContext = createContext<Bulk>({ start: () => {}, isRunning: false })

/** Starts actions on several items. */
export const useBulk = (): Bulk => useContext(BulkContext)

const FailureList = ({
  failures,
  onRetry,
  onClose
}: {
  readonly failures: Progress["failures"]
  readonly onRetry: () => void
  readonly onClose: () => void
}) => {
  const t = useTexts(bulkTexts)
  const c = useTexts(common)
  return (
    <Dialog title={t.failures} onClose={onClose}>
      <ul className="items bulk-failures" aria-label={t.failures}>
        {failures.map(({ item, error }) => (
          <li key={item.id} className="item">
            <div className="item-text">
              <Link href={item.path} onClick={onClose}>
                {item.name}
              </Link>
              <div className="item-detail">{problemOf(error, c).sentences.join(" ")}</div>
            </div>
          </li>
        ))}
      </ul>
      <footer className="form-footer">
        <Button kind="primary" onClick={onRetry}>
          {t.retry}
        </Button>
        <Button onClick={onClose}>{c.close}</Button>
      </footer>
    </Dialog>
  )
}

/** Runs bulk actions and shows their progress at the bottom of the window. */
export const BulkProvider = ({ children }: { readonly children: ReactNode }) => {
  const t = useTexts(bulkTexts)
  const c = useTexts(common)
  const { language } = useLanguage()
  const { realmId, sdk } = useScope()
  const reads = useQueryClient()
  const [run, setRun] = useState<Run>()
  const [isListing, setListing] = useState(false)
  const stop = useRef(new AbortController())
  const number = new Intl.NumberFormat(language)

  const start = (action: BulkAction) => {
    stop.current = new AbortController()
    const { signal } = stop.current
    // Closing the tab would stop the action, so the browser asks. Other pages of the console don't stop it.
    const release = guardTab()
    setListing(false)
    setRun({ action, progress: { succeeded: 0, failures: [], left: action.items, undos: [] }, isRunning: true })
    const onProgress = (progress: Progress) => setRun({ action, progress, isRunning: true })
    void runBulk(sdk, action.items, signal, onProgress).then(() => {
      release()
      setRun((last) => (last === undefined ? last : { ...last, isRunning: false }))
      void reads.invalidateQueries({ queryKey: keyIn(realmId, []) })
    })
  }
  const again = (items: ReadonlyArray<BulkItem>) => run !== undefined && start({ ...run.action, items })
  const undo = (undos: ReadonlyArray<BulkItem>) =>
    start({
      items: undos,
      running: (done, total) => t.undoing(number.format(done), number.format(total)),
      done: (count) => t.undone(number.format(count))
    })
  const isRunning = run?.isRunning === true
  const bulk = useMemo(() => ({ start, isRunning }), [isRunning, sdk, language])
  return (
    <BulkContext value={bulk}>
      {children}
      {run === undefined ? null : (
        <div className="bulk-bar progress-bar" role="region" aria-label={t.progress}>
          {run.isRunning ? (
            <>
              <span>
                {run.action.running(run.action.items.length - run.progress.left.length, run.action.items.length)}
              </span>
              <progress
                aria-label={t.progress}
                max={run.action.items.length}
                value={run.progress.succeeded + run.progress.failures.length}
              />
              <Button small onClick={() => stop.current.abort()}>
                {t.stop}
              </Button>
            </>
          ) : (
            <>
              <span role="status">
                {run.action.done(run.progress.succeeded)}
                {run.progress.left.length === 0 ? "" : ` ${t.stopped(number.format(run.progress.left.length))}`}
              </span>
              {run.progress.failures.length === 0 ? null : (
                <span className="row bulk-failed">
                  {t.failed(number.format(run.progress.failures.length))}
                  <Button small onClick={() => setListing(true)}>
                    {t.show}
                  </Button>
                </span>
              )}
              {run.progress.undos.length === 0 ? null : (
                <Button small onClick={() => undo(run.progress.undos)}>
                  {c.undo}
                </Button>
              )}
              <Button kind="quiet" small label={c.close} onClick={() => setRun(undefined)}>
                <X aria-hidden />
              </Button>
            </>
          )}
        </div>
      )}
      {run !== undefined && isListing ? (
        <FailureList
          failures={run.progress.failures}
          onRetry={() => again(run.progress.failures.map(({ item }) => item))}
          onClose={() => setListing(false)}
        />
      ) : null}
    </BulkContext>
  )
}
