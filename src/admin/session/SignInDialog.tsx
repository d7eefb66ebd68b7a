import type { ConsoleSession } from "../calls/ConsoleSession.ts"
import { useTexts } from "../texts/Language.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { SignInForm } from "./SignInForm.tsx"
import { sessionTexts } from "./Texts.ts"

/** A dialog on top of the current page that asks for the key again. */
export const SignInDialog = ({ onSignedIn }: { readonly onSignedIn: (session: ConsoleSession) => void }) => {
  const t = useTexts(sessionTexts)
  return (
    <Dialog title={t.ended} isPersistent onClose={() => {}}>
      <p>{t.endedText}</p>
      <SignInForm onSignedIn={onSignedIn} />
    </Dialog>
  )
}
