import type { Brand } from "#client/generated/types/Brand"
import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { brandTexts } from "./BrandTexts.ts"
import { type BrandValues, colorsIn, type LogoChange } from "./BrandValues.ts"
import { LogoField } from "./LogoField.tsx"
import { LogoNote } from "./LogoNote.tsx"
import { emailLogoOf, isSvg } from "./LogoPixels.ts"
import { appTexts } from "./Texts.ts"

interface LogoFieldsProps {
  readonly app: ConnectedApp
  readonly brand: Brand | undefined
  readonly values: BrandValues
  readonly set: (changed: Partial<BrandValues>) => void
}

/** The PNG for emails that goes with a logo, or null if emails can show the logo itself. */
const emailVariant = async (logo: LogoChange): Promise<string | null> =>
  typeof logo === "string" && isSvg(logo) ? ((await emailLogoOf(logo)) ?? null) : null

/** The fields of the logos, with warnings. Choosing an SVG also makes a PNG for emails. */
export const LogoFields = ({ app, brand, values, set }: LogoFieldsProps) => {
  const t = useTexts(appTexts)
  const words = useTexts(brandTexts)
  const { appearance } = app
  const current = (change: LogoChange, saved: string | null | undefined) =>
    (change === undefined ? saved : change) ?? undefined
  const light = current(values.logo, brand?.appearance.logo)
  const dark = current(values.dark_logo, brand?.appearance.dark_logo)
  const email = current(values.email_logo, brand?.appearance.email_logo)
  const colors = colorsIn(values)
  const setLogo = async (logo: LogoChange) => {
    set({ logo })
    set({ email_logo: await emailVariant(logo) })
  }
  const setDarkLogo = async (dark_logo: LogoChange) => {
    set({ dark_logo })
    set({ dark_email_logo: await emailVariant(dark_logo) })
  }
  const needsEmailLogo = light !== undefined && isSvg(light) && email === undefined && brand !== undefined
  return (
    <>
      <LogoField
        name="appearance.logo"
        label={t.logo}
        help={t.logoHelp}
        isSaved={appearance.logo_url !== null}
        saved={brand?.appearance.logo ?? undefined}
        value={values.logo}
        onChange={(logo) => void setLogo(logo)}
      >
        <LogoNote logo={light} brand={colors} shownIn={dark === undefined ? ["light", "dark"] : ["light"]} />
        {needsEmailLogo ? (
          <div className="contrast note">
            <p>{words.emailLogo}</p>
            <Button small onClick={() => void emailVariant(light).then((email_logo) => set({ email_logo }))}>
              {words.makeEmailLogo}
            </Button>
          </div>
        ) : null}
      </LogoField>
      <LogoField
        name="appearance.dark_logo"
        label={t.darkLogo}
        help={t.darkLogoHelp}
        isSaved={appearance.dark_logo_url !== null}
        saved={brand?.appearance.dark_logo ?? undefined}
        value={values.dark_logo}
        onChange={(dark_logo) => void setDarkLogo(dark_logo)}
      >
        <LogoNote logo={dark} brand={colors} shownIn={light === undefined ? ["light", "dark"] : ["dark"]} />
      </LogoField>
    </>
  )
}
