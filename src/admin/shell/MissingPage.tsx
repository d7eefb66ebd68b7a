import { useLocation } from "wouter"
import { pathAsLeft } from "../history/Places.ts"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { navigation } from "./Navigation.ts"
import { shellTexts } from "./Texts.ts"

/** The list that a missing page's address belongs to: `/realms/rl_…/users/usr_…` belongs to the users. */
const useListOf = (location: string): { readonly to: string; readonly text: string } => {
  const t = useTexts(shellTexts)
  const { session, may } = useSession()
  const [, realm, section] = /^(\/realms\/[^/]+)?(\/[^/]+)?/.exec(location) ?? []
  const entries = navigation(session.service, may).flatMap((group) => group.entries)
  const entry = entries.find(({ path }) => path === section)
  if (entry === undefined) return { to: "/", text: t.pages.overview }
  return { to: `${realm ?? ""}${entry.path}`, text: t.pages[entry.page] }
}

/** The page for unknown addresses and deleted resources. */
export const MissingPage = () => {
  const t = useTexts(common)
  const [location] = useLocation()
  const { to, text } = useListOf(location)
  return (
    <>
      <PageHeader title={t.notFound} lead={t.notFoundText} />
      <ButtonLink to={pathAsLeft(to)}>{t.goTo(text)}</ButtonLink>
    </>
  )
}
