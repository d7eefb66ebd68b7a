import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useMemo, useRef } from "react"
import { type Loaded, requireUnchanged } from "../calls/ConcurrentChanges.ts"
import { problemOf } from "../calls/Problems.ts"
import type { Key } from "../calls/Reads.ts"
import { useWrite, type Write } from "../calls/Writes.ts"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "./Button.tsx"
import { CopyAs } from "./CopyAs.tsx"
import { ProblemNote } from "./ProblemNote.tsx"

interface FormState {
  /** Returns the error of a field, or undefined if it has none. Also registers the field with the form. */
  readonly problemOf: (name: string) => string | undefined
}

const FormContext = createContext<FormState>({ problemOf: () => undefined })

/** The error of a field in the enclosing form. */
export const useFieldProblem = (name: string): string | undefined => useContext(FormContext).problemOf(name)

interface FormProps<A> {
  /** The call that the form makes with its current values. */
  readonly write: Write<A>
  /** The label of the submit button. */
  readonly submit: string
  readonly onDone: (answer: A) => void
  readonly onCancel?: () => void
  /** The cached reads to invalidate. Default: everything of the realm. */
  readonly changes?: ReadonlyArray<Key>
  /** The loaded resource. Concurrent changes are reported rather than overwritten. */
  readonly loaded?: Loaded
  /** Whether there are unsaved changes. If so, the browser asks before leaving the page. Default: false. */
  readonly isDirty?: boolean
  /** Whether the button is enabled. Default: true. */
  readonly canSubmit?: boolean
  readonly isDanger?: boolean
  readonly children: ReactNode
}

/** A form that makes a call. It shows errors at its fields, and can copy the call instead. */
export const Form = <A,>({
  write,
  submit,
  onDone,
  onCancel,
  changes,
  loaded,
  isDirty = false,
  canSubmit = true,
  isDanger = false,
  children
}: FormProps<A>) => {
  const t = useTexts(common)
  const names = useRef(new Set<string>()).current
  const form = useRef<HTMLFormElement>(null)
  // The version when the user started typing. The resource may be read again in the meantime.
  const seen = useRef(loaded?.seen)
  useEffect(() => {
    if (!isDirty) seen.current = loaded?.seen
  }, [isDirty, loaded?.seen])
  const { mutate, isPending, error } = useWrite(
    async (sdk) => {
      if (loaded !== undefined) await requireUnchanged({ ...loaded, seen: seen.current ?? loaded.seen }, sdk)
      return write(sdk)
    },
    { ...(changes === undefined ? {} : { changes }), onDone }
  )

  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", ask)
    return () => window.removeEventListener("beforeunload", ask)
  }, [isDirty])

  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()
  }, [error])

  const state = useMemo(
    () => ({
      problemOf: (name: string) => {
        names.add(name)
        return error === null ? undefined : problemOf(error, t, names).fields.get(name)
      }
    }),
    [error, names, t]
  )
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  return (
    <FormContext value={state}>
      <form ref={form} className="form" onSubmit={send} noValidate>
        {children}
        <ProblemNote error={error} fields={names} />
        <footer className="form-footer">
          <Button kind={isDanger ? "danger" : "primary"} type="submit" pending={isPending} disabled={!canSubmit}>
            {submit}
          </Button>
          {onCancel === undefined ? null : <Button onClick={onCancel}>{t.cancel}</Button>}
          <CopyAs write={write} />
        </footer>
      </form>
    </FormContext>
  )
}
