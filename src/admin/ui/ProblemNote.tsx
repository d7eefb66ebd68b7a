import { CircleAlert } from "lucide-react"
import { problemOf } from "../calls/Problems.ts"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "./Button.tsx"
import { Code } from "./Copy.tsx"

interface NoteProps {
  /** The thrown error. If null, nothing is shown. */
  readonly error: unknown
  /** The fields that show their own errors. */
  readonly fields?: ReadonlySet<string>
  readonly onRetry?: () => void
}

/** Explains an error, with the request ID. */
export const ProblemNote = ({ error, fields, onRetry }: NoteProps) => {
  const t = useTexts(common)
  if (error === null || error === undefined) return null
  const { sentences, requestId } = problemOf(error, t, fields)
  if (sentences.length === 0) return null
  return (
    <div className="problem" role="alert">
      <CircleAlert aria-hidden />
      <div>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {requestId === undefined ? null : (
          <p className="problem-id">
            {t.requestId}: <Code text={requestId} label={t.requestId} />
          </p>
        )}
        {onRetry === undefined ? null : (
          <Button small onClick={onRetry}>
            {t.retry}
          </Button>
        )}
      </div>
    </div>
  )
}
