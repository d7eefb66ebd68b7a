import { createContext, type ReactNode, useContext, useMemo } from "react"
import type { Sallyport } from "#client/Sallyport"
import { useLanguage } from "../texts/Language.tsx"
import { consoleClient } from "./Client.ts"

interface Scope {
  /** The realm of the page, or undefined on pages about all realms. */
  readonly realmId: string | undefined
  /** The SDK, bound to that realm. */
  readonly sdk: Sallyport
  /** The SDK without a realm, for resources that belong to all realms. */
  readonly everywhere: Sallyport
}

const ScopeContext = createContext<Scope | undefined>(undefined)

/** Sets the realm (or all realms) for the calls of its children. */
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

/** The page's realm, and the SDK bound to it. */
export const useScope = (): Scope => {
  const scope = useContext(ScopeContext)
  if (scope === undefined) throw new Error("There is no scope.")
  return scope
}

/** The ID of the page's realm. Throws on pages about all realms. */
export const useRealmId = (): string => {
  const { realmId } = useScope()
  if (realmId === undefined) throw new Error("The page is about no realm.")
  return realmId
}
