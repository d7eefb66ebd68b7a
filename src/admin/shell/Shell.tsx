import { Menu as MenuIcon, Search } from "lucide-react"
import { type ReactNode, useEffect, useState } from "react"
import { Link, useLocation } from "wouter"
import { BulkProvider } from "../bulk/BulkProvider.tsx"
import { useScope } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Mark } from "../ui/Mark.tsx"
import { AccountMenu } from "./AccountMenu.tsx"
import { LeaveDialog } from "./LeaveDialog.tsx"
import { globalPages, navigation } from "./Navigation.ts"
import { Palette } from "./Palette.tsx"
import { pathIn } from "./Paths.ts"
import { RealmMenu } from "./RealmMenu.tsx"
import { shellTexts } from "./Texts.ts"

const Sidebar = () => {
  const t = useTexts(shellTexts)
  const { realmId } = useScope()
  const { session, may } = useSession()
  const [location] = useLocation()
  if (realmId === undefined) {
    const entries = globalPages.filter(({ level }) => may(level))
    return (
      <ul>
        {entries.map(({ to, page }) => (
          <li key={to}>
            <Link href={to} aria-current={location.startsWith(to) ? "page" : undefined}>
              {t.pages[page]}
            </Link>
          </li>
        ))}
      </ul>
    )
  }
  const here = pathIn(realmId)
  const isCurrent = (path: string) =>
    path === "" ? location === here : location === here + path || location.startsWith(`${here}${path}/`)
  return navigation(session.service, may).map(({ group, entries }) => (
    <div key={group ?? "first"}>
      {group === undefined ? null : <h2>{t.groups[group]}</h2>}
      <ul>
        {entries.map(({ page, path, icon: Icon }) => (
          <li key={page}>
            <Link href={here + path} aria-current={isCurrent(path) ? "page" : undefined}>
              <Icon aria-hidden />
              {t.pages[page]}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ))
}

/** The shortcut that opens the palette. */
const keys = /Mac|iP/.test(navigator.platform) ? "⌘K" : "Ctrl K"

/** The frame of all pages: navigation, realm menu, palette and account menu. */
export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const t = useTexts(shellTexts)
  const [location] = useLocation()
  const { session } = useSession()
  const [isNavigationOpen, setNavigationOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)

  // The drawer closes when the page changes.
  useEffect(() => setNavigationOpen(false), [location])

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setPaletteOpen((open) => !open)
    }
    window.addEventListener("keydown", listen)
    return () => window.removeEventListener("keydown", listen)
  }, [])

  return (
    <BulkProvider>
      <div className="shell" data-navigation={isNavigationOpen ? "open" : undefined}>
        <a className="skip" href="#content">
          {t.skip}
        </a>
        <header className="top">
          <button
            type="button"
            className="button quiet icon navigation-button"
            aria-label={t.openNavigation}
            aria-expanded={isNavigationOpen}
            onClick={() => setNavigationOpen(!isNavigationOpen)}
          >
            <MenuIcon aria-hidden />
          </button>
          <Link href="/" className="brand" aria-label="Sallyport">
            <Mark />
            <span>Sallyport</span>
          </Link>
          <RealmMenu />
          {session.service.test_mode ? <span className="badge waiting">{t.testMode}</span> : null}
          <button type="button" className="jump" aria-label={`${t.jump} ${keys}`} onClick={() => setPaletteOpen(true)}>
            <Search aria-hidden />
            <span>{t.jump}</span>
            <kbd>{keys}</kbd>
          </button>
          <AccountMenu />
        </header>
        <nav className="sidebar" aria-label={t.navigation}>
          <Sidebar />
        </nav>
        <main id="content" tabIndex={-1}>
          {children}
        </main>
        <LeaveDialog />
        {isPaletteOpen ? <Palette onClose={() => setPaletteOpen(false)} /> : null}
      </div>
    </BulkProvider>
  )
}
