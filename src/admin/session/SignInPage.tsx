import { useState } from "react"
import type { ConsoleSession } from "../calls/ConsoleSession.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { LanguageChoice } from "../ui/LanguageChoice.tsx"
import { Loading } from "../ui/Loading.tsx"
import { Mark } from "../ui/Mark.tsx"
import { useTitle } from "../ui/Title.ts"
import { useLoginMethods } from "./LoginMethods.ts"
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
  const methods = useLoginMethods()
  const [isUsingKey, setUsingKey] = useState(false)
  useTitle(t.title)
  if (methods === undefined) return <Loading />
  const { acceptsKeys, hasAccounts } = methods
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
        {acceptsKeys && !hasAccounts ? (
          <>
            <p>{t.noAccounts}</p>
            <SignInForm isPrimary onSignedIn={onSignedIn} />
          </>
        ) : (
          <OperatorSignIn onSignedIn={onSignedIn} />
        )}
        {acceptsKeys && hasAccounts && !isUsingKey ? (
          <Button kind="quiet" onClick={() => setUsingKey(true)}>
            {t.useKey}
          </Button>
        ) : null}
        {acceptsKeys && hasAccounts && isUsingKey ? (
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
