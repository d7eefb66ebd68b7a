import { useEffect } from "react"
import { accountPage, type ConsoleSession, signInOperator } from "../calls/ConsoleSession.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { sessionTexts } from "./Texts.ts"

interface OperatorSignInProps {
  /** Whether the login opens in another tab, so that this page stays as it is. */
  readonly isInNewTab?: boolean
  readonly onSignedIn: (session: ConsoleSession) => void
}

/**
 * The link to the login with an operator's own account. Returning to this tab after a login in another one continues the
 * session.
 */
export const OperatorSignIn = ({ isInNewTab = false, onSignedIn }: OperatorSignInProps) => {
  const t = useTexts(sessionTexts)
  const { language } = useLanguage()
  useEffect(() => {
    const check = () => {
      if (document.visibilityState === "hidden") return
      signInOperator(language).then(
        (session) => session !== undefined && onSignedIn(session),
        () => {}
      )
    }
    window.addEventListener("focus", check)
    document.addEventListener("visibilitychange", check)
    return () => {
      window.removeEventListener("focus", check)
      document.removeEventListener("visibilitychange", check)
    }
  }, [language, onSignedIn])
  return (
    <a
      className="button primary"
      href={accountPage("login")}
      {...(isInNewTab ? { target: "_blank", rel: "noopener" } : {})}
    >
      {t.signInAccount}
    </a>
  )
}
