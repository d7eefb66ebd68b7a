import { createContext, type ReactNode, useContext, useEffect, useState } from "react"
import { allows, type Level } from "#domain/Level"
import { rolePermissions } from "#domain/OperatorRole"
import {
  type ConsoleSession,
  LoginFailed,
  readSession,
  signInOperator,
  signInWithLink,
  signOut
} from "../calls/ConsoleSession.ts"
import { onSessionEnded } from "../calls/Renewal.ts"
import { consolePath } from "../calls/ServiceUrls.ts"
import { deleteDrafts } from "../calls/StoredDrafts.ts"
import { useLanguage } from "../texts/Language.tsx"
import { Loading } from "../ui/Loading.tsx"
import { SameClock } from "../ui/Time.tsx"
import { reloadForLinks, takeLinkToken } from "./LoginLink.ts"
import { SignInDialog } from "./SignInDialog.tsx"
import { SignInPage } from "./SignInPage.tsx"

const linkToken = takeLinkToken()
reloadForLinks()

interface SessionState {
  readonly session: ConsoleSession
  /** Whether the session has this level, or may help users (end sessions and blocks, resend emails and invitations). */
  readonly may: (needed: Level | "help") => boolean
  readonly end: (which: "this" | "others") => Promise<void>
}

const SessionContext = createContext<SessionState | undefined>(undefined)

const mayIn =
  ({ level, operator }: ConsoleSession) =>
  (needed: Level | "help"): boolean => {
    if (needed !== "help") return allows(level, needed)
    return allows(level, "write") || (operator !== null && rolePermissions[operator.role].helpsUsers)
  }

/** The current console session. */
export const useSession = (): SessionState => {
  const state = useContext(SessionContext)
  if (state === undefined) throw new Error("There is no session.")
  return state
}

/**
 * Shows the login page until there is a session, then its children. If the session ends, a dialog on top of the page
 * renews it, so that no input is lost.
 */
export const SessionProvider = ({ children }: { readonly children: ReactNode }) => {
  const { language } = useLanguage()
  const [session, setSession] = useState<ConsoleSession | "unknown" | "none">("unknown")
  const [linkProblem, setLinkProblem] = useState<string | undefined>()
  const [renewed, setRenewed] = useState<(() => void) | undefined>()

  useEffect(() => {
    const signInByLink = async () => {
      if (linkToken === undefined) return undefined
      try {
        return await signInWithLink(linkToken, language)
      } catch (error) {
        if (error instanceof LoginFailed && error.message !== "") setLinkProblem(error.message)
        return undefined
      }
    }
    signInByLink()
      .then(async (found) => found ?? (await readSession(language)) ?? (await signInOperator(language)))
      .then(
        (found) => setSession(found ?? "none"),
        () => setSession("none")
      )
    return onSessionEnded((done) => setRenewed(() => done))
    // The session is read only once, because it doesn't depend on the language.
  }, [])

  if (session === "unknown") return <Loading />
  if (session === "none") return <SignInPage problem={linkProblem} onSignedIn={setSession} />

  const state: SessionState = {
    session,
    may: mayIn(session),
    end: async (which) => {
      await signOut(which, language)
      if (which === "others") return
      deleteDrafts()
      window.location.assign(consolePath)
    }
  }
  const finish = (next: ConsoleSession) => {
    const other = next.realm_id !== session.realm_id || next.level !== session.level
    setSession(next)
    renewed?.()
    setRenewed(undefined)
    // Another key or operator may not be allowed to see the current page.
    if (other) window.location.assign(consolePath)
  }
  return (
    <SessionContext value={state}>
      <SameClock value={!session.service.virtual_clock}>{children}</SameClock>
      {renewed === undefined ? null : <SignInDialog isOperator={session.operator !== null} onSignedIn={finish} />}
    </SessionContext>
  )
}
