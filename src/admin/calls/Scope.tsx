import { createContext, type ReactNode, useContext, useMemo } from "react"
import type { Sallyport } from "#client/Sallyport"
import { useLanguage } from "../texts/Language.tsx"
import { consoleClient } from "./Client.ts"

interface Scope {
  /** The realm whose things the page shows; undefined on pages about all realms. */
  readonly realmId: string | undefined
  /** The SDK, in that realm. */
  readonly sdk: Sallyport
  /** The SDK outside of any realm, for what belongs to all of them. */
  readonly everywhere: Sallyport
}

const ScopeContext = createContext<Scope | undefined>(undefined)

/** Makes calls below it be about a realm, or about all. */
export const ScopeProvider = ({
  realmId,
  children
}: {
  readonly realmId: string | undefined
  readonly children: ReactNode
}) => {
  const { language } = useLanguage()
  const scope = useMemo(
    () => ({ realmId, sdk: consoleClient(language, realmId), everywhere: consoleClient(language, undefined) }),
    [realmId, language]
  )
  return <ScopeContext value={scope}>{children}</ScopeContext>
}

/** The realm of the page, and the SDK in it. */
export const useScope = (): Scope => {
  const scope = useContext(ScopeContext)
  if (scope === undefined) throw new Error("There is no scope.")
  return scope
}

/** The ID of the realm of a page that is about one. */
export const useRealmId = (): string => {
  const { realmId } = useScope()
  if (realmId === undefined) throw new Error("The page is about no realm.")
  return realmId
}
