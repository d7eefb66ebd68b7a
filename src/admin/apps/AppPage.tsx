import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { useDraft } from "../calls/Draft.ts"
import { useNeededText } from "../session/NeededText.ts"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Form } from "../ui/Form.tsx"
import { useToast } from "../ui/Toast.tsx"
import { AppFrame } from "./AppFrame.tsx"
import { inputOf, valuesOf } from "./AppValues.ts"
import { AdvancedFields, GeneralFields, ReturnFields, SignupFields } from "./SettingsFields.tsx"

const Settings = ({ app }: { readonly app: ConnectedApp }) => {
  const words = useTexts(common)
  const needed = useNeededText()
  const toast = useToast()
  const { may } = useSession()
  const draft = useDraft("app", valuesOf(app))
  const { values, changes, set, adopt } = draft
  const isEditor = may("admin_realm")
  return (
    <Form
      submit={words.save}
      draft={draft}
      canSubmit={draft.isDirty && isEditor}
      changes={[["client_apps"]]}
      loaded={{ read: (sdk) => sdk.clientApps.get(app.id), seen: app, changes }}
      write={(sdk) => sdk.clientApps.update(app.id, inputOf(changes))}
      onDone={(saved) => {
        adopt(valuesOf(saved))
        toast({ text: words.saved })
      }}
    >
      <fieldset className="settings" disabled={!isEditor}>
        {isEditor ? null : <p className="note">{needed("admin_realm")}</p>}
        <GeneralFields values={values} set={set} saved={app.subdomain ?? ""} />
        <ReturnFields values={values} set={set} />
        <SignupFields values={values} set={set} />
        <AdvancedFields values={values} set={set} />
      </fieldset>
    </Form>
  )
}

/** The settings page of a connected app. */
export const AppPage = ({ appId = "" }: Record<string, string>) => (
  <AppFrame appId={appId}>{(app) => <Settings key={app.id} app={app} />}</AppFrame>
)
