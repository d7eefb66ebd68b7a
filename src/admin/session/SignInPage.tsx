import type { ConsoleSession } from "../calls/ConsoleSession.ts"
import { useTexts } from "../texts/Language.tsx"
import { LanguageChoice } from "../ui/LanguageChoice.tsx"
import { Loading } from "../ui/Loading.tsx"
import { Mark } from "../ui/Mark.tsx"
import { useTitle } from "../ui/Title.ts"
import { useAcceptsKeys } from "./AcceptsKeys.ts"
import { OperatorSignIn } from "./OperatorSignIn.tsx"
import { SignInForm } from "./SignInForm.tsx"
import { sessionTexts } from "./Texts.ts"

interface SignInPageProps {
  /** Why the link that opened the page did not log in. */
  readonly problem: string | undefined
  readonly onSignedIn: (session: ConsoleSession) => void
}

/** The page shown without a session. */
export const SignInPage = ({ problem, onSignedIn }: SignInPageProps) => {
  const t = useTexts(sessionTexts)
  const acceptsKeys = useAcceptsKeys()
  useTitle(t.title)
  if (acceptsKeys === undefined) return <Loading />
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <div className="brand">
          <Mark />
          Sallyport
        </div>
        <h1>{t.title}</h1>
        {problem === undefined ? null : (
          <p className="note waiting" role="alert">
            {problem} {t.otherWay}
          </p>
        )}
        <OperatorSignIn onSignedIn={onSignedIn} />
        {acceptsKeys ? (
          <>
            <p className="sign-in-or">{t.or}</p>
            <SignInForm onSignedIn={onSignedIn} />
          </>
        ) : null}
      </div>
      <LanguageChoice />
    </main>
  )
}
