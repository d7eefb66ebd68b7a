import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { isChanged } from "../calls/Changes.ts"
import { useDraft } from "../calls/Draft.ts"
import { useRead } from "../calls/Reads.ts"
import { useNeededText } from "../session/NeededText.ts"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { TextArea, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { AppFrame } from "./AppFrame.tsx"
import { BrandActions } from "./BrandActions.tsx"
import { inputOf, valuesOf } from "./BrandValues.ts"
import { ColorFields } from "./ColorFields.tsx"
import { LogoFields } from "./LogoFields.tsx"
import { PagePreview } from "./PagePreview.tsx"
import { ShapeFields } from "./ShapeFields.tsx"
import { appTexts } from "./Texts.ts"

const Appearance = ({ app }: { readonly app: ConnectedApp }) => {
  const t = useTexts(appTexts)
  const words = useTexts(common)
  const needed = useNeededText()
  const toast = useToast()
  const { may } = useSession()
  const draft = useDraft("appearance", valuesOf(app))
  const { values, changes, set, adopt } = draft
  const input = inputOf(changes)
  const isEditor = may("admin_realm")
  const { data: brand } = useRead(["client_apps", app.id, "brand"], (sdk) => sdk.clientApps.brand(app.id))
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
          {isEditor ? null : <p className="note">{needed("admin_realm")}</p>}
          <Section
            title={t.brand}
            actions={<BrandActions app={app} brand={brand} isEditor={isEditor} onImport={set} />}
          >
            <div className="stack">
              <TextField
                name="appearance.name"
                label={t.brandName}
                help={t.brandNameHelp}
                isOptional
                value={values.name}
                onChange={(name) => set({ name })}
              />
              <LogoFields app={app} brand={brand} values={values} set={set} />
              <ColorFields values={values} set={set} />
              <ShapeFields values={values} set={set} />
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
