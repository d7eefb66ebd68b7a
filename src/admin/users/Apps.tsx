import type { Consent } from "#client/generated/types/Consent"
import type { Grant } from "#client/generated/types/Grant"
import type { User } from "#client/generated/types/User"
import { useList } from "../calls/Reads.ts"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { useAct } from "../ui/Act.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Item, ItemList } from "../ui/Items.tsx"
import { Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { useAppName } from "./AppName.tsx"
import { userTexts } from "./UserTexts.ts"

const changes = [["grants"], ["consents"], ["events"]]

const Scopes = ({ scopes }: { readonly scopes: ReadonlyArray<string> }) => (
  <span className="tags">
    {scopes.map((scope) => (
      <code key={scope} className="tag">
        {scope}
      </code>
    ))}
  </span>
)

const GrantRow = ({ grant }: { readonly grant: Grant }) => {
  const t = useTexts(userTexts)
  const { may } = useSession()
  const act = useAct()
  const name = useAppName(grant.client_app_id)
  const revoke = () => act({ write: (sdk) => sdk.grants.delete(grant.id), text: t.revokedGrant(name), changes })
  return (
    <Item
      title={name}
      detail={
        <>
          <span>
            {t.lastUsed} <Time at={grant.last_used_at} isRelative />
          </span>
          <Scopes scopes={grant.scopes} />
        </>
      }
      actions={
        may("write") ? (
          <Button small onClick={() => void revoke()}>
            {t.revoke}
          </Button>
        ) : undefined
      }
    />
  )
}

const ConsentRow = ({ consent }: { readonly consent: Consent }) => {
  const t = useTexts(userTexts)
  const { may } = useSession()
  const act = useAct()
  const name = useAppName(consent.client_app_id)
  const revoke = () => act({ write: (sdk) => sdk.consents.delete(consent.id), text: t.revokedConsent(name), changes })
  return (
    <Item
      title={
        <>
          {name}
          <Badge>{t.consent}</Badge>
        </>
      }
      detail={
        <>
          <span>{t.consentNote}</span>
          <Scopes scopes={consent.scopes} />
        </>
      }
      actions={
        may("write") ? (
          <Button small onClick={() => void revoke()}>
            {t.revoke}
          </Button>
        ) : undefined
      }
    />
  )
}

/** The OAuth clients that a user has authorized. */
export const UserApps = ({ user }: { readonly user: User }) => {
  const t = useTexts(userTexts)
  const query = { user_id: user.id, direction: "desc" } as const
  const all = useList(["grants", user.id], (sdk, page) => sdk.grants.list({ ...query, ...page }))
  const consents = useList(["consents", user.id], (sdk, page) => sdk.consents.list({ ...query, ...page }))
  const grants = { ...all, items: all.items?.filter(({ state }) => state === "active") }
  const isEmpty = grants.items?.length === 0 && !all.more && consents.items?.length === 0
  return (
    <Section title={t.apps} lead={t.appsLead}>
      {isEmpty ? (
        <p className="faint">{t.noApps}</p>
      ) : (
        <>
          <div className="section-part">
            <ItemList label={t.apps} list={grants} empty={t.noApps}>
              {(grant) => <GrantRow key={grant.id} grant={grant} />}
            </ItemList>
          </div>
          {consents.items?.length === 0 ? null : (
            <div className="section-part">
              <ItemList label={t.consent} list={consents} empty={null}>
                {(consent) => <ConsentRow key={consent.id} consent={consent} />}
              </ItemList>
            </div>
          )}
        </>
      )}
    </Section>
  )
}
