import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { useDraft } from "../calls/Draft.ts"
import { useNeededText } from "../session/NeededText.ts"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Form } from "../ui/Form.tsx"
import { useToast } from "../ui/Toast.tsx"
import { ClientFrame } from "./ClientFrame.tsx"
import { type ClientKind, kindOf, kindRules } from "./ClientKinds.ts"
import { inputOf, valuesOf } from "./ClientValues.ts"
import { AccessFields, GeneralFields, SecurityFields, TokenFields } from "./SettingsFields.tsx"

const Settings = ({ client, kind }: { readonly client: ConnectedApp; readonly kind: ClientKind }) => {
  const words = useTexts(common)
  const needed = useNeededText()
  const toast = useToast()
  const { may } = useSession()
  const draft = useDraft("client", valuesOf(client))
  const { values, changes, set, adopt } = draft
  const props = { kind, values, set }
  return (
    <Form
      submit={words.save}
      draft={draft}
      canSubmit={draft.isDirty && may("admin_realm")}
      changes={[["client_apps"]]}
      loaded={{ read: (sdk) => sdk.clientApps.get(client.id), seen: client, changes }}
      write={(sdk) => sdk.clientApps.update(client.id, inputOf(changes))}
      onDone={(saved) => {
        adopt(valuesOf(saved))
        toast({ text: words.saved })
      }}
    >
      <fieldset className="settings" disabled={!may("admin_realm")}>
        {may("admin_realm") ? null : <p className="note">{needed("admin_realm")}</p>}
        <GeneralFields {...props} />
        <AccessFields {...props} />
        <TokenFields {...props} />
        {kindRules[kind].authMethods.length > 1 || kindRules[kind].hasUsers ? <SecurityFields {...props} /> : null}
      </fieldset>
    </Form>
  )
}

/** The settings page of an OAuth client. */
export const ClientSettingsPage = ({ clientId = "" }: Record<string, string>) => (
  <ClientFrame clientId={clientId}>
    {(client) => {
      const kind = kindOf(client)
      return kind === undefined ? null : <Settings key={client.id} client={client} kind={kind} />
    }}
  </ClientFrame>
)
