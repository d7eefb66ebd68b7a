import { useState } from "react"
import { useLocation } from "wouter"
import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { nonBlankLines } from "../calls/Changes.ts"
import { useDraft } from "../calls/Draft.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Lines, Select, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { type ClientKind, clientKinds, kindRules } from "./ClientKinds.ts"
import { SecretDialog } from "./SecretDialog.tsx"
import { clientTexts } from "./Texts.ts"

interface NewClient {
  readonly client_type: ClientKind
  readonly name: string
  readonly redirect_uris: ReadonlyArray<string>
  readonly consent: "skip" | "ask"
}

const initial: NewClient = { client_type: "web", name: "", redirect_uris: [], consent: "skip" }

/** The form to create an OAuth client. If the client has a secret, it is shown before the client's page opens. */
export const NewClientPage = () => {
  const t = useTexts(clientTexts)
  const realmId = useRealmId()
  const [, navigate] = useLocation()
  const draft = useDraft("new", initial)
  const { client_type: kind, name, redirect_uris: redirects, consent } = draft.values
  const [made, setMade] = useState<ConnectedApp | undefined>()
  const rules = kindRules[kind]
  const list = pathIn(realmId, "clients")
  const open = ({ id }: ConnectedApp) => navigate(pathIn(realmId, "clients", id))
  return (
    <>
      <PageHeader title={t.newTitle} above={[{ text: t.title, to: list }]} />
      <section className="section">
        <Form
          submit={t.create}
          draft={draft}
          write={(sdk) =>
            sdk.clientApps.create({
              name,
              client_type: kind,
              ...(rules.hasRedirects ? { redirect_uris: nonBlankLines(redirects) } : {}),
              ...(rules.hasUsers ? { consent } : {})
            })
          }
          onDone={(client) => (client.client_secret === undefined ? open(client) : setMade(client))}
          onCancel={() => navigate(list)}
        >
          <fieldset className="field choices">
            <legend>{t.type}</legend>
            {clientKinds.map((one) => (
              <label key={one} className="choice">
                <input
                  type="radio"
                  name="client_type"
                  value={one}
                  checked={kind === one}
                  onChange={() => draft.set({ client_type: one })}
                />
                <span>
                  <strong>{t.kinds[one]}</strong>
                  <span className="field-help">{t.kindHelp[one]}</span>
                </span>
              </label>
            ))}
            <p className="field-help">{t.kindFixed}</p>
          </fieldset>
          <TextField
            name="name"
            label={t.name}
            help={t.nameHelp}
            value={name}
            onChange={(text) => draft.set({ name: text })}
          />
          {rules.hasRedirects ? (
            <Lines
              name="redirect_uris"
              label={t.redirectUris}
              help={kind === "native" ? t.redirectHelpNative : t.redirectHelp}
              value={redirects}
              onChange={(redirect_uris) => draft.set({ redirect_uris })}
            />
          ) : null}
          {rules.hasUsers ? (
            <Select
              name="consent"
              label={t.consent}
              help={t.consentHelp}
              options={(["skip", "ask"] as const).map((value) => ({ value, text: t.consents[value] }))}
              value={consent}
              onChange={(choice) => draft.set({ consent: choice })}
            />
          ) : null}
        </Form>
      </section>
      {made?.client_secret === undefined ? null : (
        <SecretDialog clientId={made.client_id ?? made.id} secret={made.client_secret} onClose={() => open(made)} />
      )}
    </>
  )
}
