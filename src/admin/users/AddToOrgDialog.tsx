import { useDraft } from "../calls/Draft.ts"
import { PermissionsField, tagsOf } from "../memberships/Permissions.tsx"
import { OrgPicker, type Picked } from "../memberships/Picker.tsx"
import { membershipTexts } from "../memberships/Texts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Form } from "../ui/Form.tsx"

interface AddToOrg {
  readonly org_id: Picked | undefined
  readonly permissions: string
}

interface AddToOrgProps {
  readonly title: string
  readonly onAdd: (org: Picked, permissions: ReadonlyArray<string>) => void
  readonly onClose: () => void
}

/** Chooses the org and the permissions for several users. */
export const AddToOrgDialog = ({ title, onAdd, onClose }: AddToOrgProps) => {
  const t = useTexts(membershipTexts)
  const draft = useDraft<AddToOrg>("add to org", { org_id: undefined, permissions: "" })
  const { org_id: org, permissions } = draft.values
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        draft={draft}
        // The form only checks that the org still exists. The memberships are created one by one.
        write={(sdk) => sdk.orgs.get(org?.id ?? "")}
        changes={[]}
        isCopyable={false}
        submit={t.add}
        canSubmit={org !== undefined}
        onCancel={onClose}
        onDone={({ id, name }) => onAdd({ id, text: name }, tagsOf(permissions))}
      >
        <OrgPicker name="org_id" label={t.org} picked={org} onPick={(org_id) => draft.set({ org_id })} />
        <PermissionsField value={permissions} onChange={(text) => draft.set({ permissions: text })} />
      </Form>
    </Dialog>
  )
}
