import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useMemo, useRef } from "react"
import { type Loaded, requireUnchanged } from "../calls/ConcurrentChanges.ts"
import type { FormDraft } from "../calls/Draft.ts"
import { problemOf } from "../calls/Problems.ts"
import type { Key } from "../calls/Reads.ts"
import { useWrite, type Write } from "../calls/Writes.ts"
import { guardUnsaved, leaveIfAgreed } from "../history/UnsavedChanges.ts"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "./Button.tsx"
import { CopyAs } from "./CopyAs.tsx"
import { ProblemNote } from "./ProblemNote.tsx"
import { useSaveKey } from "./SaveKey.ts"

interface FormState {
  /** Returns the error of a field, or undefined if it has none. Also registers the field with the form. */
  readonly problemOf: (name: string, isSecret: boolean) => string | undefined
}

const FormContext = createContext<FormState>({ problemOf: () => undefined })

/** The error of a field in the enclosing form. The values of secret fields are never stored. */
export const useFieldProblem = (name: string, isSecret = false): string | undefined =>
  useContext(FormContext).problemOf(name, isSecret)

/** Whether a field edits a member of the draft. Fields of parts have names such as `roles.0.name` and `appearance.color`. */
const isIn = (values: object, name: string): boolean => name.split(".").some((part) => Object.hasOwn(values, part))

interface FormProps<A> {
  /** The call that the form makes with its current values. */
  readonly write: Write<A>
  /** The values of the fields, by the fields' names. Null for forms without fields. */
  readonly draft: FormDraft | null
  /** The label of the submit button. */
  readonly submit: string
  readonly onDone: (answer: A) => void
  readonly onCancel?: () => void
  /** The cached reads to invalidate. Default: everything of the realm. */
  readonly changes?: ReadonlyArray<Key>
  /** The loaded resource. Concurrent changes are reported rather than overwritten. */
  readonly loaded?: Loaded
  /** Whether the button is enabled. Default: true. */
  readonly canSubmit?: boolean
  readonly isDanger?: boolean
  /** Whether the call can be copied. Default: true. */
  readonly isCopyable?: boolean
  readonly children: ReactNode
}

/** Says that changes from before a reload were restored, and offers to discard them. */
const Restored = ({ draft }: { readonly draft: FormDraft | null }) => {
  const t = useTexts(common)
  if (draft === null || draft.restored === "no" || !draft.isDirty) return null
  return (
    <p className="note restored" role="status">
      <span>{draft.restored === "outdated" ? t.restoredOutdated : t.restored}</span>
      <Button small onClick={draft.discard}>
        {t.discard}
      </Button>
    </p>
  )
}

/**
 * A form that makes a call. It shows errors at its fields, and can copy the call instead. Leaving it with unsaved changes
 * asks first, and the changes survive a reload. While an existing resource has unsaved changes, the buttons stay in view.
 */
export const Form = <A,>({
  write,
  draft,
  submit,
  onDone,
  onCancel,
  changes,
  loaded,
  canSubmit = true,
  isDanger = false,
  isCopyable = true,
  children
}: FormProps<A>) => {
  const t = useTexts(common)
  const names = useRef(new Set<string>()).current
  const secrets = useRef(new Set<string>()).current
  const isDirty = draft?.isDirty === true
  const current = useRef(draft)
  current.current = draft
  const unsaved = useRef({ discard: () => current.current?.discard() }).current
  const release = useRef(() => {})
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
    {
      ...(changes === undefined ? {} : { changes }),
      onDone: (answer) => {
        release.current()
        current.current?.settle()
        onDone(answer)
      }
    }
  )

  useEffect(() => {
    if (!isDirty) return
    release.current = guardUnsaved(unsaved)
    return () => release.current()
  }, [isDirty, unsaved])

  // The browser's copy follows the values. Fields register as secret before this effect runs.
  useEffect(() => current.current?.store(secrets), [draft?.values, secrets])

  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()
  }, [error])

  const state = useMemo(
    () => ({
      problemOf: (name: string, isSecret: boolean) => {
        if (current.current === null || !isIn(current.current.values, name))
          throw new Error(`The draft of the form has no member ${name}, so it can't keep the field's value.`)
        names.add(name)
        if (isSecret) secrets.add(name)
        return error === null ? undefined : problemOf(error, t, names).fields.get(name)
      }
    }),
    [error, names, secrets, t]
  )
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  useSaveKey(form, isDirty, canSubmit && !isPending)
  // Forms that create something keep their buttons below the fields.
  const hasSaveBar = isDirty && onCancel === undefined
  useEffect(() => {
    const focused = document.activeElement
    // The bar appears at the bottom of the window, maybe on top of the field that was just changed.
    if (hasSaveBar && form.current?.contains(focused)) focused?.scrollIntoView({ block: "nearest" })
  }, [hasSaveBar])
  const cancel = () => leaveIfAgreed(() => onCancel?.(), new Set(isDirty ? [unsaved] : []))
  return (
    <FormContext value={state}>
      <form ref={form} className="form" onSubmit={send} noValidate data-unsaved={isDirty ? "" : undefined}>
        <Restored draft={draft} />
        {children}
        <ProblemNote error={error} fields={names} />
        <footer className={hasSaveBar ? "form-footer save-bar" : "form-footer"}>
          <Button kind={isDanger ? "danger" : "primary"} type="submit" pending={isPending} disabled={!canSubmit}>
            {submit}
          </Button>
          {onCancel === undefined ? null : <Button onClick={cancel}>{t.cancel}</Button>}
          {hasSaveBar ? (
            <>
              <Button onClick={draft?.discard} disabled={isPending}>
                {t.discard}
              </Button>
              <span className="unsaved">{t.unsaved}</span>
            </>
          ) : null}
          {isCopyable ? <CopyAs write={write} /> : null}
        </footer>
      </form>
    </FormContext>
  )
}
