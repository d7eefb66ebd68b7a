import { Menu, MenuButton, MenuItem, MenuProvider, MenuSeparator } from "@ariakit/react"
import { ChevronsUpDown } from "lucide-react"
import { useLocation } from "wouter"
import { useRead } from "../calls/Reads.ts"
import { useScope } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { pathIn } from "./Paths.ts"
import { shellTexts } from "./Texts.ts"

/** The number of realms in the menu. The realms page lists all of them. */
const MAX_LISTED_REALMS = 12

/** The current realm, with a menu to switch to another. */
export const RealmMenu = () => {
  const t = useTexts(shellTexts)
  const { realmId } = useScope()
  const { session, may } = useSession()
  const [, navigate] = useLocation()
  const current = useRead(["realms", realmId], (sdk) => sdk.realms.get(realmId ?? ""), {
    enabled: realmId !== undefined
  })
  const others = useRead(
    ["realms", "offered"],
    async (sdk) => await sdk.realms.list({ max_results: MAX_LISTED_REALMS }),
    {
      enabled: session.realm_id === null
    }
  )
  const name = realmId === undefined ? t.allRealms : (current.data?.name ?? "…")
  if (session.realm_id !== null) return <span className="realm-name">{name}</span>
  return (
    <MenuProvider>
      <MenuButton className="button quiet realm-menu" aria-label={`${t.chooseRealm}: ${name}`}>
        <span className="realm-name">{name}</span>
        <ChevronsUpDown aria-hidden />
      </MenuButton>
      <Menu gutter={4} className="menu" portal>
        {others.data?.items.map((realm) => (
          <MenuItem
            key={realm.id}
            className="menu-item"
            aria-current={realm.id === realmId}
            onClick={() => navigate(pathIn(realm.id))}
          >
            {realm.name}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem className="menu-item" onClick={() => navigate("/realms")}>
          {t.allRealms}
        </MenuItem>
        {may("admin_all_realms") ? (
          <MenuItem className="menu-item" onClick={() => navigate("/team")}>
            {t.pages.team}
          </MenuItem>
        ) : null}
      </Menu>
    </MenuProvider>
  )
}
