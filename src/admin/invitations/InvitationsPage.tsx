import type { Invitation } from "#client/generated/types/Invitation"
import { useList } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { serviceUrl } from "../calls/ServiceUrls.ts"
import { useMailText } from "../session/MailText.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { useFilters } from "../ui/Filters.ts"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import type { Column } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { InvitationActions } from "./InvitationActions.tsx"
import { InvitationState } from "./InvitationItem.tsx"
import { invitationsTexts } from "./Texts.ts"

const example = (realmId: string): string => `curl -X POST '${serviceUrl()}/v2/invitations?realm_id=${realmId}' \\
  -H "Authorization: Bearer $SALLYPORT_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"invitation": {"invitation_type": "preverify", "email": "ada@example.com"}}'

curl -X POST '${serviceUrl()}/v2/invitations/INVITATION_ID/invite?realm_id=${realmId}' \\
  -H "Authorization: Bearer $SALLYPORT_KEY"`

export const invitationTypes = ["org", "preverify", "referral", "request"] as const

/** The open invitations of a realm. */
export const InvitationsPage = () => {
  const t = useTexts(invitationsTexts)
  const realmId = useRealmId()
  const { may } = useSession()
  const { search, chosen, set, onSearch } = useFilters()
  const type = chosen("type", invitationTypes)
  const ofMail = useMailText()
  const state = chosen("state", ["pending", "invited"])
  const list = useList(["invitations", search, type, state], (sdk, page) =>
    sdk.invitations.list({
      direction: "desc",
      ...(search === "" ? {} : { email: search }),
      invitation_type: type,
      state,
      ...page
    })
  )
  const columns: ReadonlyArray<Column<Invitation>> = [
    { name: t.email, cell: ({ email }) => <strong>{email}</strong> },
    {
      name: t.type,
      cell: ({ invitation_type, org }) => (
        <div>
          {t.types[invitation_type]}
          {org === undefined ? null : <span className="cell-detail">{org.name}</span>}
        </div>
      )
    },
    {
      name: t.state,
      cell: ({ invited_at }) => (
        <div>
          <InvitationState invited_at={invited_at} />
          {invited_at === null ? null : (
            <span className="cell-detail">
              <Time at={invited_at} isRelative />
            </span>
          )}
        </div>
      )
    },
    { name: t.expires, cell: ({ expires_at }) => <Time at={expires_at} isRelative /> },
    { name: t.actions, isRight: true, cell: (invitation) => <InvitationActions invitation={invitation} /> }
  ]
  const create = may("write") ? (
    <ButtonLink kind="primary" to={pathIn(realmId, "invitations", "new")}>
      {t.create}
    </ButtonLink>
  ) : null
  const isFiltered = search !== "" || type !== undefined || state !== undefined
  return (
    <>
      <PageHeader title={t.invitations} lead={t.lead}>
        {create}
      </PageHeader>
      <div className="filters">
        <SearchField label={t.searchEmail} value={search} onSearch={onSearch} />
        <select aria-label={t.type} value={type ?? ""} onChange={(event) => set("type", event.target.value)}>
          <option value="">{t.anyType}</option>
          {invitationTypes.map((one) => (
            <option key={one} value={one}>
              {t.types[one]}
            </option>
          ))}
        </select>
        <select aria-label={t.state} value={state ?? ""} onChange={(event) => set("state", event.target.value)}>
          <option value="">{t.anyState}</option>
          <option value="pending">{t.pending}</option>
          <option value="invited">{ofMail(t.invited)}</option>
        </select>
      </div>
      <Listing
        label={t.invitations}
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          isFiltered ? (
            <Empty title={t.noMatch}>{t.noMatchText}</Empty>
          ) : (
            <Empty title={t.noneTitle} action={create} example={example(realmId)}>
              {t.noneText}
            </Empty>
          )
        }
      />
    </>
  )
}
