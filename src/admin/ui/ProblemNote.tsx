import { CircleAlert } from "lucide-react"
import { problemOf } from "../calls/Problems.ts"
import { useTexts } from "../texts/Language.tsx"
import { common } from "../texts/Wording.ts"
import { Button } from "./Button.tsx"
import { Code } from "./Copy.tsx"

interface NoteProps {
  /** What was thrown; nothing is shown for null. */
  readonly error: unknown
  /** The fields that tell their own problems. */
  readonly fields?: ReadonlySet<string>
  readonly onRetry?: () => void
}

/** Tells in words why something failed, with the request's ID. */
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
