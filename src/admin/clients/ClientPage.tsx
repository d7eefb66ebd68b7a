import { useState } from "react"
import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { useRealmId } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Code } from "../ui/Copy.tsx"
import { Facts, Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { ClientFrame } from "./ClientFrame.tsx"
import { keepsSecret } from "./ClientKinds.ts"
import { ConnectSection } from "./ConnectSection.tsx"
import { SecretDialog } from "./SecretDialog.tsx"
import { issuerOf } from "./Snippets.ts"
import { clientTexts } from "./Texts.ts"

const Credentials = ({ client }: { readonly client: ConnectedApp }) => {
  const t = useTexts(clientTexts)
  const realmId = useRealmId()
  const { may, session } = useSession()
  const [rotating, setRotating] = useState(false)
  const [secret, setSecret] = useState<string | undefined>()
  const clientId = client.client_id ?? client.id
  const issuer = issuerOf(session.service.api_url, realmId)
  const discovery = `${issuer}/.well-known/openid-configuration`
  const hasSecret = keepsSecret(client)
  const without = client.token_endpoint_auth_method === "private_key_jwt" ? t.keySecret : t.noSecret
  return (
    <Section
      title={t.credentials}
      actions={
        hasSecret && may("admin_realm") ? <Button onClick={() => setRotating(true)}>{t.rotate}</Button> : undefined
      }
    >
      <Facts
        facts={[
          [t.clientId, <Code key="id" text={clientId} label={t.clientId} />],
          [
            t.secret,
            <span key="secret" className="faint">
              {hasSecret ? t.secretHidden : without}
            </span>
          ],
          [t.issuer, <Code key="issuer" text={issuer} label={t.issuer} />],
          [t.discovery, <Code key="discovery" text={discovery} label={t.discovery} />],
          [t.created, <Time key="created" at={client.created_at} />]
        ]}
      />
      {rotating ? (
        <Confirm
          title={t.rotateTitle(client.name)}
          action={t.rotate}
          isDanger={false}
          write={(sdk) => sdk.clientApps.rotateSecret(client.id)}
          changes={[["client_apps"]]}
          onDone={({ client_secret }) => {
            setRotating(false)
            setSecret(client_secret)
          }}
          onClose={() => setRotating(false)}
        >
          {t.rotateText}
        </Confirm>
      ) : null}
      {secret === undefined ? null : (
        <SecretDialog clientId={clientId} secret={secret} isRotated onClose={() => setSecret(undefined)} />
      )}
    </Section>
  )
}

/** An OAuth client's credentials, and how to connect it. */
export const ClientPage = ({ clientId = "" }: Record<string, string>) => (
  <ClientFrame clientId={clientId}>
    {(client) => (
      <>
        <Credentials client={client} />
        <ConnectSection client={client} />
      </>
    )}
  </ClientFrame>
)
