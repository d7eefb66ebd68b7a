import { LanguageChoice } from "../shell/LanguageChoice.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Mark } from "../ui/Mark.tsx"
import { useTitle } from "../ui/Title.ts"
import type { ConsoleSession } from "./ConsoleSession.ts"
import { SignInForm } from "./SignInForm.tsx"
import { sessionTexts } from "./Texts.ts"

/** What somebody without a session sees. */
export const SignInPage = ({ onSignedIn }: { readonly onSignedIn: (session: ConsoleSession) => void }) => {
  const t = useTexts(sessionTexts)
  useTitle(t.title)
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <Mark />
        <h1>{t.title}</h1>
        <p className="faint">{t.lead}</p>
        <SignInForm onSignedIn={onSignedIn} />
      </div>
      <LanguageChoice />
    </main>
  )
}
