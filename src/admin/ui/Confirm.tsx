import { type ReactNode, useState } from "react"
import type { Key } from "../calls/Reads.ts"
import { useWrite, type Write } from "../calls/Writes.ts"
import { leavingFreely } from "../history/UnsavedChanges.ts"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "./Button.tsx"
import { CopyAs } from "./CopyAs.tsx"
import { Dialog } from "./Dialog.tsx"
import { ProblemNote } from "./ProblemNote.tsx"

interface ConfirmProps<A> {
  /** A question that names the subject: "Delete Ada Lovelace?" */
  readonly title: string
  /** The consequences, in full sentences. */
  readonly children: ReactNode
  /** The label of the button: a verb. */
  readonly action: string
  /** Default: true. */
  readonly isDanger?: boolean
  /** A name that the user must type first. For very destructive actions. */
  readonly typed?: string
  readonly write: Write<A>
  readonly changes?: ReadonlyArray<Key>
  readonly onDone: (answer: A) => void
  readonly onClose: () => void
}

/** Asks for confirmation before an action that can't be undone. */
export const Confirm = <A,>({
  title,
  children,
  action,
  isDanger = true,
  typed,
  write,
  changes,
  onDone,
  onClose
}: ConfirmProps<A>) => {
  const t = useTexts(common)
  const [text, setText] = useState("")
  const { mutate, isPending, error } = useWrite(write, {
    ...(changes === undefined ? {} : { changes }),
    onDone: (answer) => leavingFreely(() => onDone(answer))
  })
  const ready = typed === undefined || text.trim() === typed.trim()
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) mutate()
        }}
      >
        <div>{children}</div>
        {typed === undefined ? null : (
          <div className="field">
            <label htmlFor="confirm-name">{t.typeToConfirm(typed)}</label>
            <input
              id="confirm-name"
              value={text}
              onChange={(event) => setText(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
        )}
        <ProblemNote error={error} />
        <footer className="form-footer">
          <Button kind={isDanger ? "danger" : "primary"} type="submit" disabled={!ready} pending={isPending}>
            {action}
          </Button>
          <Button onClick={onClose}>{t.cancel}</Button>
          <CopyAs write={write} />
        </footer>
      </form>
    </Dialog>
  )
}
