import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import type { ConnectedAppInput } from "#client/generated/types/ConnectedAppInput"
import { brandPalette } from "#domain/BrandPalette"
import { formatColor, parseColor } from "#domain/Color"
import { themes } from "#domain/PageThemes"
import { changesIn, isChanged, orNull } from "../calls/Changes.ts"
import { useDraft } from "../calls/Draft.ts"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { TextArea, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { AppFrame } from "./AppFrame.tsx"
import { ColorField } from "./ColorField.tsx"
import { type LogoChange, LogoField } from "./LogoField.tsx"
import { PagePreview } from "./PagePreview.tsx"
import { appTexts } from "./Texts.ts"

interface Look {
  readonly name: string
  readonly color: string
  readonly dark_color: string
  readonly header: string
  readonly footer: string
  readonly external_css: string
}

interface Logos {
  readonly logo?: LogoChange
  readonly dark_logo?: LogoChange
}

/** An app's appearance as form values. */
const valuesOf = ({ appearance, header, footer, external_css }: ConnectedApp): Look & Logos => ({
  name: appearance.name ?? "",
  color: appearance.color ?? "",
  dark_color: appearance.dark_color ?? "",
  header: header ?? "",
  footer: footer ?? "",
  external_css: external_css ?? "",
  logo: undefined,
  dark_logo: undefined
})

/** Converts changed form values to the input of an update. */
const inputOf = ({
  header,
  footer,
  external_css,
  logo,
  dark_logo,
  ...named
}: Partial<Look & Logos>): ConnectedAppInput => {
  const texts = Object.fromEntries(Object.entries(named).map(([name, text]) => [name, orNull(text)]))
  const appearance = { ...texts, ...changesIn<Logos>({}, { logo, dark_logo }) }
  return {
    ...(header === undefined ? {} : { header: orNull(header) }),
    ...(footer === undefined ? {} : { footer: orNull(footer) }),
    ...(external_css === undefined ? {} : { external_css: orNull(external_css) }),
    ...(isChanged(appearance) ? { appearance } : {})
  }
}

/** The accent color of pages without a brand color, by theme. */
const plain = { light: "#1f4fd1", dark: "#9db8ff" }

/** Returns the dark theme's color that the pages derive from the light one. */
const derivedColor = (text: string): string => {
  const color = parseColor(text)
  return color === undefined ? plain.dark : formatColor(brandPalette(color, themes.dark, true).fill)
}

const Appearance = ({ app }: { readonly app: ConnectedApp }) => {
  const t = useTexts(appTexts)
  const words = useTexts(common)
  const toast = useToast()
  const { may } = useSession()
  const draft = useDraft("appearance", valuesOf(app))
  const { values, changes, set, adopt } = draft
  const input = inputOf(changes)
  const isEditor = may("admin_realm")
  return (
    <div className="app-look">
      <Form
        submit={words.save}
        draft={draft}
        canSubmit={isChanged(input) && isEditor}
        changes={[["client_apps"]]}
        loaded={{ read: (sdk) => sdk.clientApps.get(app.id), seen: app, changes: input }}
        write={(sdk) => sdk.clientApps.update(app.id, input)}
        onDone={(saved) => {
          adopt(valuesOf(saved))
          toast({ text: words.saved })
        }}
      >
        <fieldset className="settings" disabled={!isEditor}>
          {isEditor ? null : <p className="note">{words.needsLevel("admin_realm")}</p>}
          <Section title={t.brand}>
            <div className="stack">
              <TextField
                name="appearance.name"
                label={t.brandName}
                help={t.brandNameHelp}
                isOptional
                value={values.name}
                onChange={(name) => set({ name })}
              />
              <ColorField
                name="appearance.color"
                label={t.color}
                help={t.colorHelp}
                value={values.color}
                otherwise={plain.light}
                onChange={(color) => set({ color })}
              />
              <ColorField
                name="appearance.dark_color"
                label={t.darkColor}
                help={t.darkColorHelp}
                value={values.dark_color}
                otherwise={derivedColor(values.color)}
                onChange={(dark_color) => set({ dark_color })}
              />
              <LogoField
                name="appearance.logo"
                label={t.logo}
                help={t.logoHelp}
                isSaved={app.appearance.logo_url !== null}
                value={values.logo}
                onChange={(logo) => set({ logo })}
              />
              <LogoField
                name="appearance.dark_logo"
                label={t.darkLogo}
                help={t.darkLogoHelp}
                isSaved={app.appearance.dark_logo_url !== null}
                value={values.dark_logo}
                onChange={(dark_logo) => set({ dark_logo })}
              />
            </div>
          </Section>
          <Section title={t.around}>
            <div className="stack">
              <TextArea
                name="header"
                label={t.header}
                help={t.headerHelp}
                isOptional
                isCode
                value={values.header}
                onChange={(header) => set({ header })}
              />
              <TextArea
                name="footer"
                label={t.footer}
                help={t.footerHelp}
                isOptional
                isCode
                value={values.footer}
                onChange={(footer) => set({ footer })}
              />
              <TextField
                name="external_css"
                type="url"
                label={t.css}
                help={t.cssHelp}
                isOptional
                value={values.external_css}
                onChange={(external_css) => set({ external_css })}
              />
            </div>
          </Section>
        </fieldset>
      </Form>
      <PagePreview appId={app.id} draft={input} />
    </div>
  )
}

/** The appearance of a connected app's pages, with a live preview. */
export const AppearancePage = ({ appId = "" }: Record<string, string>) => (
  <AppFrame appId={appId}>{(app) => <Appearance key={app.id} app={app} />}</AppFrame>
)
