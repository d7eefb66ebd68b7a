import { Menu, MenuButton, MenuItem, MenuProvider, MenuSeparator } from "@ariakit/react"
import { CircleUser } from "lucide-react"
import { locales } from "#domain/Locale"
import { leaveIfAgreed } from "../history/UnsavedChanges.ts"
import { useKeyNames } from "../session/ReadableKey.ts"
import { useSession } from "../session/SessionState.tsx"
import { sessionTexts } from "../session/Texts.ts"
import { languages, useLanguage, useTexts } from "../texts/Language.tsx"
import { Time } from "../ui/Time.tsx"
import { useToast } from "../ui/Toast.tsx"
import { shellTexts } from "./Texts.ts"
import { themes, useTheme } from "./Theme.tsx"

/** The account menu: the current key, theme, language and logout. */
export const AccountMenu = () => {
  const t = useTexts(shellTexts)
  const s = useTexts(sessionTexts)
  const toast = useToast()
  const { session, end } = useSession()
  const nameOf = useKeyNames()
  const { operator, api_key: apiKey } = session
  const { theme, choose: chooseTheme } = useTheme()
  const { language, choose: chooseLanguage } = useLanguage()
  return (
    <MenuProvider>
      <MenuButton className="button quiet icon" aria-label={t.account}>
        <CircleUser aria-hidden />
      </MenuButton>
      <Menu gutter={4} className="menu" portal>
        <div className="menu-note">
          {operator !== null ? (
            <>
              {s.signedInAsOperator} <strong>{operator.email}</strong>
              <br />
              {t.roles[operator.role]}
            </>
          ) : (
            <>
              {s.signedInAs} <strong>{apiKey === null ? "" : (nameOf({ ...session, ...apiKey }) ?? apiKey.id)}</strong>
              <br />
              {t.levels[session.level]}
            </>
          )}
          <br />
          {s.expires}: <Time at={session.expires_at} />
        </div>
        <MenuSeparator />
        {operator === null ? null : (
          <MenuItem
            className="menu-item"
            onClick={() => leaveIfAgreed(() => window.location.assign(`${session.service.account_url}/security`))}
          >
            {s.yourAccount}
          </MenuItem>
        )}
        {themes.map((one) => (
          <MenuItem
            key={one}
            className="menu-item"
            hideOnClick={false}
            aria-current={theme === one}
            onClick={() => chooseTheme(one)}
          >
            {t.theme}: {t.themes[one]}
          </MenuItem>
        ))}
        <MenuSeparator />
        {locales.map((one) => (
          <MenuItem
            key={one}
            className="menu-item"
            lang={one}
            aria-current={language === one}
            onClick={() => chooseLanguage(one)}
          >
            {languages[one]}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem
          className="menu-item"
          onClick={() => void end("others").then(() => toast({ text: s.signedOutOthers }))}
        >
          {s.signOutOthers}
        </MenuItem>
        <MenuItem className="menu-item" onClick={() => leaveIfAgreed(() => void end("this"))}>
          {s.signOut}
        </MenuItem>
      </Menu>
    </MenuProvider>
  )
}
