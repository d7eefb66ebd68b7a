import { Link, useLocation } from "wouter"

interface Tab {
  readonly text: string
  readonly to: string
}

/** Links to the parts of a resource, each on its own page. */
export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: ReadonlyArray<Tab> }) => {
  const [location] = useLocation()
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ text, to }) => (
        <Link key={to} href={to} aria-current={location === to ? "page" : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
