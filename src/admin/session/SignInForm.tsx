import { Eye, EyeOff } from "lucide-react"
import { type FormEvent, useRef, useState } from "react"
import { type ConsoleSession, LoginFailed, signIn } from "../calls/ConsoleSession.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { sessionTexts } from "./Texts.ts"

interface SignInFormProps {
  /** Whether the form is the main way to log in here. */
  readonly isPrimary?: boolean
  readonly onSignedIn: (session: ConsoleSession) => void
}

/** The form that exchanges a key for a session. */
export const SignInForm = ({ isPrimary = false, onSignedIn }: SignInFormProps) => {
  const t = useTexts(sessionTexts)
  const { language } = useLanguage()
  const field = useRef<HTMLInputElement>(null)
  const [shown, setShown] = useState(false)
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string | undefined>()

  const refuse = (message: string) => {
    setProblem(message)
    field.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const key = field.current?.value.trim() ?? ""
    if (key === "") return refuse(t.missing)
    setPending(true)
    try {
      const session = await signIn(key, language)
      if (field.current !== null) field.current.value = ""
      onSignedIn(session)
    } catch (error) {
      refuse(error instanceof LoginFailed && error.status !== undefined ? error.message : t.unreachable)
    } finally {
      setPending(false)
    }
  }

  return (
    <form className="form" onSubmit={submit} noValidate>
      <div className="field">
        <label htmlFor="sign-in-key">{t.key}</label>
        <div className="field-with-button">
          <input
            ref={field}
            id="sign-in-key"
            type={shown ? "text" : "password"}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            aria-invalid={problem !== undefined}
            aria-describedby="sign-in-help sign-in-problem"
          />
          <Button kind="quiet" label={shown ? t.hide : t.show} onClick={() => setShown(!shown)}>
            {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          </Button>
        </div>
        <p id="sign-in-problem" className="field-problem" role="alert">
          {problem}
        </p>
        <p id="sign-in-help" className="field-help">
          {t.keyHelp}
        </p>
      </div>
      <Button {...(isPrimary ? { kind: "primary" as const } : {})} type="submit" pending={pending}>
        {pending ? t.signingIn : t.signIn}
      </Button>
    </form>
  )
}
