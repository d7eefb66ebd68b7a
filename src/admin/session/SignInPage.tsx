import type { ConsoleSession } from "../calls/ConsoleSession.ts"
import { useTexts } from "../texts/Language.tsx"
import { LanguageChoice } from "../ui/LanguageChoice.tsx"
import { Mark } from "../ui/Mark.tsx"
import { useTitle } from "../ui/Title.ts"
import { OperatorSignIn } from "./OperatorSignIn.tsx"
import { SignInForm } from "./SignInForm.tsx"
import { sessionTexts } from "./Texts.ts"

/** The page shown without a session. */
export const SignInPage = ({ onSignedIn }: { readonly onSignedIn: (session: ConsoleSession) => void }) => {
  const t = useTexts(sessionTexts)
  useTitle(t.title)
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <div className="brand">
          <Mark />
          Sallyport
        </div>
        <h1>{t.title}</h1>
        <OperatorSignIn onSignedIn={onSignedIn} />
        <p className="sign-in-or">{t.or}</p>
        <SignInForm onSignedIn={onSignedIn} />
      </div>
      <LanguageChoice />
    </main>
  )
}
