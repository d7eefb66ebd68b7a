import type { ConsoleSession } from "../calls/ConsoleSession.ts"
import { useTexts } from "../texts/Language.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Loading } from "../ui/Loading.tsx"
import { useLoginMethods } from "./LoginMethods.ts"
import { OperatorSignIn } from "./OperatorSignIn.tsx"
import { SignInForm } from "./SignInForm.tsx"
import { sessionTexts } from "./Texts.ts"

interface SignInDialogProps {
  /** Whether an operator was logged in, not an API key. */
  readonly isOperator: boolean
  readonly onSignedIn: (session: ConsoleSession) => void
}

/** A dialog on top of the current page that asks to log in again. */
export const SignInDialog = ({ isOperator, onSignedIn }: SignInDialogProps) => {
  const t = useTexts(sessionTexts)
  const methods = useLoginMethods()
  const text = isOperator ? t.endedOperator : methods?.acceptsKeys === false ? t.endedKeysOff : t.endedText
  return (
    <Dialog title={t.ended} isPersistent onClose={() => {}}>
      {methods === undefined ? (
        <Loading />
      ) : (
        <>
          <p>{text}</p>
          {isOperator || !methods.acceptsKeys ? (
            <footer className="form-footer">
              <OperatorSignIn isInNewTab onSignedIn={onSignedIn} />
            </footer>
          ) : (
            <SignInForm isPrimary onSignedIn={onSignedIn} />
          )}
        </>
      )}
    </Dialog>
  )
}
