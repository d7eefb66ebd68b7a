import type { Membership } from "#client/generated/types/Membership"
import type { Sallyport } from "#client/Sallyport"
import { useDraft } from "../calls/Draft.ts"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Form } from "../ui/Form.tsx"
import { MomentField, momentOf, momentText } from "../ui/MomentField.tsx"
import { useToast } from "../ui/Toast.tsx"
import { PermissionsField, tagsOf } from "./Permissions.tsx"
import { OrgPicker, type Picked, UserPicker } from "./Picker.tsx"
import { membershipTexts } from "./Texts.ts"

const changes = [["memberships"], ["events"], ["users"], ["orgs"]]

interface NewMembership {
  readonly user_id: Picked | undefined
  readonly org_id: Picked | undefined
  readonly permissions: string
  readonly expires_at: string
}

interface NewMembershipProps {
  /** The side that is given: the user or the org. The other one is picked. */
  readonly user?: Picked
  readonly org?: Picked
  readonly onClose: () => void
}

/** Adds a user to an org. */
export const NewMembershipDialog = ({ user: givenUser, org: givenOrg, onClose }: NewMembershipProps) => {
  const t = useTexts(membershipTexts)
  const toast = useToast()
  const draft = useDraft<NewMembership>("add", {
    user_id: givenUser,
    org_id: givenOrg,
    permissions: "",
    expires_at: ""
  })
  const { user_id: user, org_id: org, permissions, expires_at: expires } = draft.values
  const write = (sdk: Sallyport) =>
    sdk.memberships.create({
      user_id: user?.id ?? "",
      org_id: org?.id ?? "",
      permissions: tagsOf(permissions),
      ...(expires === "" ? {} : { expires_at: momentOf(expires) })
    })
  return (
    <Dialog title={givenOrg === undefined ? t.addOrg : t.addMember} onClose={onClose}>
      <Form
        draft={draft}
        write={write}
        changes={changes}
        submit={t.add}
        canSubmit={user !== undefined && org !== undefined}
        onCancel={onClose}
        onDone={() => {
          toast({ text: t.added(user?.text ?? "", org?.text ?? "") })
          onClose()
        }}
      >
        {givenUser === undefined ? (
          <UserPicker name="user_id" label={t.user} picked={user} onPick={(user_id) => draft.set({ user_id })} />
        ) : null}
        {givenOrg === undefined ? (
          <OrgPicker name="org_id" label={t.org} picked={org} onPick={(org_id) => draft.set({ org_id })} />
        ) : null}
        <PermissionsField value={permissions} onChange={(text) => draft.set({ permissions: text })} />
        <MomentField
          name="expires_at"
          label={t.expires}
          help={t.expiresHelp}
          value={expires}
          onChange={(expires_at) => draft.set({ expires_at })}
        />
      </Form>
    </Dialog>
  )
}

interface EditProps {
  readonly membership: Membership
  readonly title: string
  readonly onClose: () => void
}

/** Changes a membership's permissions and expiry. */
export const EditMembershipDialog = ({ membership, title, onClose }: EditProps) => {
  const t = useTexts(membershipTexts)
  const c = useTexts(common)
  const toast = useToast()
  const draft = useDraft(`edit ${membership.id}`, {
    permissions: membership.permissions.join(" "),
    expires_at: momentText(membership.expires_at)
  })
  const { permissions, expires_at: expires } = draft.values
  const values = {
    ...(draft.changes.permissions === undefined ? {} : { permissions: tagsOf(permissions) }),
    ...(draft.changes.expires_at === undefined ? {} : { expires_at: momentOf(expires) })
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        write={(sdk) => sdk.memberships.update(membership.id, values)}
        loaded={{ read: (sdk) => sdk.memberships.get(membership.id), seen: membership, changes: values }}
        changes={changes}
        submit={c.save}
        draft={draft}
        canSubmit={draft.isDirty}
        onCancel={onClose}
        onDone={() => {
          toast({ text: c.saved })
          onClose()
        }}
      >
        <PermissionsField value={permissions} onChange={(text) => draft.set({ permissions: text })} />
        <MomentField
          name="expires_at"
          label={t.expires}
          help={t.expiresHelp}
          value={expires}
          onChange={(expires_at) => draft.set({ expires_at })}
        />
      </Form>
    </Dialog>
  )
}
