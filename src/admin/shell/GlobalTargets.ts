import { useMemo } from "react"
import { consoleClient } from "../calls/Client.ts"
import { useRead } from "../calls/Reads.ts"
import { useScope } from "../calls/Scope.tsx"
import { leaveIfAgreed } from "../history/UnsavedChanges.ts"
import { useSession } from "../session/SessionState.tsx"
import { sessionTexts } from "../session/Texts.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { globalPages } from "./Navigation.ts"
import { MAX_MATCHES, matches, type Target, type TargetGroup } from "./PaletteTargets.ts"
import { pathIn } from "./Paths.ts"
import { shellTexts } from "./Texts.ts"

/** The number of realms searched by name. Any realm is found by its ID. */
const MAX_REALMS = 100

/** The pages about all realms that the session can use, and the operator's own account. */
export const useGlobalPages = (): ReadonlyArray<Target> => {
  const t = useTexts(shellTexts)
  const isInRealm = useScope().realmId !== undefined
  const { session, may } = useSession()
  const { yourAccount } = useTexts(sessionTexts)
  const toAccount = () => leaveIfAgreed(() => window.location.assign(`${session.service.account_url}/security`))
  // Inside a realm, webhooks and API keys are those of the realm.
  const pages = globalPages.filter(({ page }) => !isInRealm || page === "realms" || page === "team")
  return [
    ...(session.realm_id === null ? pages : [])
      .filter(({ level }) => may(level))
      .map(({ to, page }) => ({ to, text: t.pages[page] })),
    ...(session.operator === null ? [] : [{ to: toAccount, text: yourAccount }])
  ]
}

/** Finds realms, and users if there is only one realm, on pages about all realms. */
export const useGlobalTargets = (search: string) => {
  const t = useTexts(shellTexts)
  const { language } = useLanguage()
  const isEverywhere = useScope().realmId === undefined
  const realms = useRead(
    ["realms", "palette"],
    async (sdk) => {
      const { items, after } = await sdk.realms.list({ max_results: MAX_REALMS })
      return { items, isComplete: after === undefined }
    },
    { enabled: isEverywhere }
  )
  const known = realms.data?.items ?? []
  const byId = useRead(["realms", search], (sdk) => sdk.realms.get(search), {
    enabled: isEverywhere && search.startsWith("rl_") && realms.data?.isComplete === false
  })
  const only = realms.data?.isComplete === true && known.length === 1 ? known[0] : undefined
  const sdkOfOnly = useMemo(() => consoleClient(language, only?.id), [language, only?.id])
  const users = useRead(
    ["users", "palette", only?.id, search],
    async () => await sdkOfOnly.users.list({ search, max_results: MAX_MATCHES }),
    { enabled: only !== undefined && search !== "" }
  )
  const found = known.filter(({ id, name }) => matches(name, search) || matches(id, search))
  const groups: ReadonlyArray<TargetGroup> = [
    {
      name: t.realmsGroup,
      targets: (found.length === 0 && byId.data !== undefined ? [byId.data] : found)
        .slice(0, MAX_MATCHES)
        .map(({ id, name }) => ({ to: pathIn(id), text: name, detail: id }))
    },
    {
      name: t.usersGroup,
      targets: (only === undefined || search === "" ? [] : (users.data?.items ?? [])).map(({ id, name, email }) => ({
        to: pathIn(only?.id ?? "", "users", id),
        text: name ?? email ?? id,
        detail: email ?? id
      }))
    }
  ]
  return {
    groups,
    /** What can be typed. */
    help: only === undefined ? t.jumpHelpAll : t.jumpHelpOnly,
    /** Shown if nothing is found. */
    noMatch: only === undefined && (search.startsWith("usr_") || search.includes("@")) ? t.usersInRealms : t.noMatch
  }
}
