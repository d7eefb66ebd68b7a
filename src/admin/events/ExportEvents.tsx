import { useEffect, useRef, useState } from "react"
import { useRealmId, useScope } from "../calls/Scope.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { download } from "../ui/Download.ts"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { useToast } from "../ui/Toast.tsx"
import { type EventFilter, isFiltered, queryOf } from "./EventFilter.ts"
import { type Format, fileStart, formats, recordsOf } from "./EventRecords.ts"
import { eventTexts } from "./Texts.ts"

/** The number of events read at once. */
const PAGE = 1_000

const types = { csv: "text/csv", ndjson: "application/x-ndjson" } as const satisfies Record<Format, string>

/**
 * Downloads the events that match the filters. Pages are read from the newest event backwards, so events that happen
 * meanwhile can't make the export endless, and each page becomes a blob, which the browser stores outside of the page's memory.
 */
export const ExportEvents = ({ filter, onClose }: { readonly filter: EventFilter; readonly onClose: () => void }) => {
  const t = useTexts(eventTexts)
  const c = useTexts(common)
  const { language } = useLanguage()
  const { sdk } = useScope()
  const realmId = useRealmId()
  const toast = useToast()
  const [format, setFormat] = useState<Format>("csv")
  const [count, setCount] = useState<number>()
  const [error, setError] = useState<unknown>(null)
  // Each export has a number, so that a stopped one notices it.
  const current = useRef(0)
  useEffect(
    () => () => {
      current.current += 1
    },
    []
  )
  const numeral = (number: number) => number.toLocaleString(language)

  const run = async () => {
    const own = ++current.current
    setError(null)
    setCount(0)
    try {
      const parts: Array<string | Blob> = [fileStart(format)]
      let exported = 0
      const query = { ...queryOf(filter), max_results: PAGE, direction: "desc", expand: "display_names" } as const
      for await (const { items } of sdk.events.list(query).pages()) {
        if (own !== current.current) return
        parts.push(new Blob([recordsOf(format, items)]))
        exported += items.length
        setCount(exported)
      }
      if (own !== current.current) return
      download(`events-${realmId}.${format}`, types[format], parts)
      toast({ text: t.exported(numeral(exported)) })
      onClose()
    } catch (problem) {
      if (own !== current.current) return
      setError(problem)
      setCount(undefined)
    }
  }
  const stop = () => {
    current.current += 1
    setCount(undefined)
    toast({ text: t.stopped })
  }
  const isRunning = count !== undefined
  return (
    <Dialog title={t.exportTitle} onClose={onClose}>
      <p>
        {isFiltered(filter) ? t.exportFiltered : t.exportAll} {t.exportSnapshot}
      </p>
      <fieldset className="stack" disabled={isRunning}>
        <legend>{t.format}</legend>
        {formats.map((one) => (
          <label key={one} className="row">
            <input type="radio" name="format" checked={format === one} onChange={() => setFormat(one)} />
            {t.formats[one]}
          </label>
        ))}
      </fieldset>
      <ProblemNote error={error} />
      <footer className="form-footer">
        <Button kind="primary" onClick={() => void run()} pending={isRunning}>
          {t.download}
        </Button>
        {isRunning ? <Button onClick={stop}>{t.stop}</Button> : <Button onClick={onClose}>{c.cancel}</Button>}
        {isRunning ? (
          <span className="faint" role="status">
            {t.exporting(numeral(count))}
          </span>
        ) : null}
      </footer>
    </Dialog>
  )
}
