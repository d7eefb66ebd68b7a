import { useEffect } from "react"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { useToast } from "../ui/Toast.tsx"
import { teamTexts } from "./Texts.ts"

const NAME = "sallyport-console-first-owner"

/** Remembers in this tab that the first owner is choosing a password, on pages outside the console. */
export const rememberSetup = (): void => {
  try {
    sessionStorage.setItem(NAME, "1")
  } catch {
    // Without storage, nothing is shown afterwards.
  }
}

const forgetSetup = (): boolean => {
  try {
    const isKnown = sessionStorage.getItem(NAME) !== null
    sessionStorage.removeItem(NAME)
    return isKnown
  } catch {
    return false
  }
}

/** Welcomes the first owner once, when they return to the console with their own account. */
export const FirstOwner = () => {
  const t = useTexts(teamTexts)
  const toast = useToast()
  const { operator } = useSession().session
  const email = operator?.role === "owner" ? operator.email : undefined
  useEffect(() => {
    if (email !== undefined && forgetSetup()) toast({ text: t.welcome(email), link: { text: t.team, to: "/team" } })
  }, [email, t, toast])
  return null
}
