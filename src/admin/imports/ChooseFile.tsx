import { useId, useState } from "react"
import { useRealmId } from "../calls/Scope.tsx"
import { useTexts } from "../texts/Language.tsx"
import { CodeBlock } from "../ui/Copy.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { importTexts } from "./Texts.ts"
import { readUsers, UnreadableFile, type UserFile } from "./UserFile.ts"

const EXAMPLE = `id,email,first_name,last_name,org_id,org_name,permissions
c-1001,ada@example.com,Ada,Lovelace,acc-7,Analytical Engines,ar:owner
c-1002,grace@example.com,Grace,Hopper,acc-7,Analytical Engines,`

/** Accepts a file of users, by drag and drop or by file dialog. */
export const ChooseFile = ({ onRead }: { readonly onRead: (name: string, file: UserFile) => void }) => {
  const t = useTexts(importTexts)
  const realmId = useRealmId()
  const id = useId()
  const [isOver, setOver] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const read = async (file: File | undefined) => {
    setOver(false)
    if (file === undefined) return
    try {
      onRead(file.name, await readUsers(file))
    } catch (problem) {
      setError(problem)
    }
  }
  return (
    <div className="stack">
      {/* Keyboard users choose the file with the button instead. */}
      <div
        className="drop"
        data-over={isOver ? "" : undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          void read(event.dataTransfer.files[0])
        }}
      >
        <strong>{t.drop}</strong>
        <input
          id={id}
          type="file"
          className="visually-hidden"
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json"
          onChange={(event) => void read(event.target.files?.[0])}
        />
        <label htmlFor={id} className="button primary">
          {t.choose}
        </label>
      </div>
      {error instanceof UnreadableFile ? (
        <p className="problem" role="alert">
          {t.unreadable[error.reason]}
        </p>
      ) : (
        <ProblemNote error={error} />
      )}
      <p className="faint">{t.example}</p>
      <CodeBlock text={EXAMPLE} />
      <p className="faint">{t.limits}</p>
      <CodeBlock text={`npx sallyport users import users.csv --realm ${realmId}`} />
    </div>
  )
}
