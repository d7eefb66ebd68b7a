import { useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { useRealmId, useScope } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Switch } from "../ui/Fields.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Section } from "../ui/Section.tsx"
import { Numbers, RejectedRows } from "./Outcome.tsx"
import type { Rows } from "./Rows.ts"
import { noProgress, type Progress, send } from "./Sending.ts"
import { importTexts } from "./Texts.ts"

/** The state of an import: checking or importing; running, stopped or finished. */
interface Run {
  readonly kind: "check" | "import"
  readonly state: "under_way" | "stopped" | "done"
  readonly progress: Progress
  readonly error: unknown
}

/** Checks the rows of a file, then imports them. */
export const RunImport = ({ made }: { readonly made: Rows }) => {
  const t = useTexts(importTexts)
  const { language } = useLanguage()
  const realmId = useRealmId()
  const { sdk } = useScope()
  const reads = useQueryClient()
  const [run, setRun] = useState<Run>()
  const [events, setEvents] = useState(false)
  const abort = useRef<AbortController>(undefined)
  const { rows } = made
  const numeral = (number: number) => number.toLocaleString(language)

  const start = async (kind: Run["kind"], from: Progress) => {
    const controller = new AbortController()
    abort.current = controller
    let progress = from
    setRun({ kind, state: "under_way", progress, error: null })
    try {
      await send(sdk, rows, from, {
        dry_run: kind === "check",
        events,
        signal: controller.signal,
        onProgress: (next) => {
          progress = next
          setRun({ kind, state: "under_way", progress, error: null })
        }
      })
      setRun({ kind, state: "done", progress, error: null })
    } catch (error) {
      setRun({ kind, state: "stopped", progress, error: controller.signal.aborted ? null : error })
    }
    if (kind === "import") await reads.invalidateQueries()
  }
  const isDone = (kind: Run["kind"]) => run?.kind === kind && run.state === "done"
  const isRunning = run?.state === "under_way"
  const refused =
    run === undefined ? [] : [...made.refused, ...run.progress.refused].toSorted((a, b) => a.line - b.line)
  const titles = {
    check: isRunning ? t.checking : t.checked,
    import: isRunning ? t.importing : t.imported
  }
  return (
    <>
      <Section
        title={run === undefined ? t.check : titles[run.kind]}
        lead={run?.kind === "import" ? undefined : t.checkLead}
      >
        <div className="stack">
          {run === undefined ? null : (
            <>
              {run.state === "done" ? null : (
                <div className="stack">
                  <progress
                    className="progress"
                    value={run.progress.done}
                    max={rows.length}
                    aria-label={titles[run.kind]}
                  />
                  <span role="status">{t.of(numeral(run.progress.done), numeral(rows.length))}</span>
                </div>
              )}
              <Numbers progress={{ ...run.progress, refused }} isCheck={run.kind === "check"} />
              {run.state === "stopped" ? run.error === null ? <p className="note waiting">{t.stopped}</p> : null : null}
              <ProblemNote error={run.error} />
              {isDone("import") && refused.length === 0 ? <p className="note good">{t.allImported}</p> : null}
            </>
          )}
          {isDone("import") ? null : (
            <Switch
              name="events"
              label={t.events}
              help={t.eventsHelp}
              value={events}
              onChange={setEvents}
              disabled={isRunning}
            />
          )}
          <footer className="form-footer">
            {run === undefined ? (
              <Button kind="primary" onClick={() => void start("check", noProgress)} disabled={rows.length === 0}>
                {t.check}
              </Button>
            ) : null}
            {isRunning ? <Button onClick={() => abort.current?.abort()}>{t.stop}</Button> : null}
            {run?.state === "stopped" ? (
              <Button kind="primary" onClick={() => void start(run.kind, run.progress)}>
                {t.resume}
              </Button>
            ) : null}
            {run !== undefined && isDone("check") ? (
              <Button
                kind="primary"
                onClick={() => void start("import", noProgress)}
                disabled={run.progress.refused.length === rows.length}
              >
                {t.import(numeral(rows.length - run.progress.refused.length))}
              </Button>
            ) : null}
            {isDone("import") ? (
              <ButtonLink kind="primary" to={pathIn(realmId, "users")}>
                {t.toUsers}
              </ButtonLink>
            ) : null}
          </footer>
        </div>
      </Section>
      <RejectedRows refused={refused} />
    </>
  )
}
