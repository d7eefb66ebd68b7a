import { useLocation, useSearchParams } from "wouter"
import type { Sallyport } from "#client/Sallyport"
import { useDraft } from "../calls/Draft.ts"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { PermissionsField, tagsOf } from "../memberships/Permissions.tsx"
import { OrgPicker, type Picked, UserPicker } from "../memberships/Picker.tsx"
import { membershipTexts } from "../memberships/Texts.ts"
import { NeedsLevel } from "../session/NeedsLevel.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { localeName } from "../texts/LocaleName.ts"
import { Select, Switch, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { Loading } from "../ui/Loading.tsx"
import { useMailNews } from "../ui/Mailbox.tsx"
import { MomentField, momentOf } from "../ui/MomentField.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { invitationTypes } from "./InvitationsPage.tsx"
import { invitationsTexts } from "./Texts.ts"

interface NewInvitation {
  readonly invitation_type: (typeof invitationTypes)[number]
  readonly email: string
  readonly org_id: Picked | undefined
  readonly permissions: string
  readonly inviting_user_id: Picked | undefined
  readonly client_app_id: string
  readonly locale: string
  readonly expires_at: string
  readonly send: boolean
}

const NewInvitationForm = ({ firstOrg }: { readonly firstOrg: Picked | undefined }) => {
  const t = useTexts(invitationsTexts)
  const m = useTexts(membershipTexts)
  const { language } = useLanguage()
  const realmId = useRealmId()
  const [, navigate] = useLocation()
  const toast = useToast()
  const newsOf = useMailNews()
  const realm = useRead(["realms", realmId], (sdk) => sdk.realms.get(realmId))
  const apps = useRead(["client_apps", "first"], async (sdk) => await sdk.clientApps.list({ max_results: 100 }))
  const draft = useDraft<NewInvitation>("new", {
    invitation_type: "org",
    email: "",
    org_id: firstOrg,
    permissions: "",
    inviting_user_id: undefined,
    client_app_id: "",
    locale: "",
    expires_at: "",
    send: true
  })
  const { values, set } = draft
  const { invitation_type: type, email, org_id: org, permissions, locale, send: isSent } = values
  const { inviting_user_id: inviter, client_app_id: app, expires_at: expires } = values
  const ending = expires === "" ? {} : { expires_at: momentOf(expires) }

  const write = async (sdk: Sallyport) => {
    const invitation = await sdk.invitations.create({
      invitation_type: type,
      email: email.trim(),
      ...(type === "org" ? { org_id: org?.id ?? null, permissions: tagsOf(permissions) } : {}),
      ...(inviter === undefined ? {} : { inviting_user_id: inviter.id }),
      ...(app === "" ? {} : { client_app_id: app }),
      ...(locale === "" ? {} : { locale }),
      ...ending
    })
    if (!isSent) return "kept"
    // The invitation exists even if the email can't be sent.
    return sdk.invitations.invite(invitation.id, ending).then(
      () => "sent",
      () => "failed"
    )
  }
  const list = pathIn(realmId, "invitations")
  const pages = apps.data?.items.filter(({ login_url }) => login_url !== null) ?? []
  return (
    <Form
      write={write}
      submit={t.create}
      draft={draft}
      onCancel={() => navigate(list)}
      onDone={(outcome) => {
        const to = email.trim()
        const other = outcome === "failed" ? t.sendFailed : t.created
        toast(outcome === "sent" ? newsOf(t.invitation, to) : { text: other(to) })
        navigate(firstOrg === undefined ? list : pathIn(realmId, "orgs", firstOrg.id))
      }}
    >
      <Select
        name="invitation_type"
        label={t.type}
        help={t.typeHelp[type]}
        value={type}
        onChange={(invitation_type) => set({ invitation_type })}
        options={invitationTypes.map((one) => ({ value: one, text: t.types[one] }))}
      />
      <TextField name="email" type="email" label={t.email} value={email} onChange={(text) => set({ email: text })} />
      {type === "org" ? (
        <>
          <OrgPicker name="org_id" label={m.org} picked={org} onPick={(org_id) => set({ org_id })} />
          <PermissionsField value={permissions} onChange={(text) => set({ permissions: text })} />
        </>
      ) : null}
      <UserPicker
        name="inviting_user_id"
        label={t.inviter}
        isOptional
        picked={inviter}
        onPick={(inviting_user_id) => set({ inviting_user_id })}
      />
      <div className="form-row">
        <Select
          name="client_app_id"
          label={t.app}
          help={t.appHelp}
          value={app}
          onChange={(client_app_id) => set({ client_app_id })}
          options={[{ value: "", text: t.anyApp }, ...pages.map(({ id, name }) => ({ value: id, text: name }))]}
        />
        <Select
          name="locale"
          label={t.locale}
          value={locale}
          onChange={(tag) => set({ locale: tag })}
          options={[
            { value: "", text: t.realmLocale },
            ...(realm.data?.available_locales ?? []).map((tag) => ({ value: tag, text: localeName(tag, language) }))
          ]}
        />
      </div>
      <MomentField
        name="expires_at"
        label={t.expires}
        help={t.expiresHelp}
        value={expires}
        onChange={(expires_at) => set({ expires_at })}
      />
      <Switch name="send" label={t.sendNow} help={t.sendNowHelp} value={isSent} onChange={(send) => set({ send })} />
    </Form>
  )
}

/** The form to invite someone. The query can preset the org. */
export const NewInvitationPage = () => {
  const t = useTexts(invitationsTexts)
  const realmId = useRealmId()
  const [params] = useSearchParams()
  const orgId = params.get("org")
  const org = useRead(["orgs", orgId ?? ""], (sdk) => sdk.orgs.get(orgId ?? ""), { enabled: orgId !== null })
  const isReady = orgId === null || org.data !== undefined || org.error !== null
  return (
    <>
      <PageHeader title={t.create} above={[{ text: t.invitations, to: pathIn(realmId, "invitations") }]} />
      <NeedsLevel level="write">
        <Section title={t.details}>
          {isReady ? (
            <NewInvitationForm
              firstOrg={org.data === undefined ? undefined : { id: org.data.id, text: org.data.name }}
            />
          ) : (
            <Loading />
          )}
        </Section>
      </NeedsLevel>
    </>
  )
}
