import type { Operator } from "#client/generated/types/Operator"
import { type OperatorRole, operatorRoles } from "#domain/OperatorRole"
import { useDraft } from "../calls/Draft.ts"
import { useTexts } from "../texts/Language.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Select } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { useToast } from "../ui/Toast.tsx"
import { teamTexts } from "./Texts.ts"

const roleOf = (name: string): OperatorRole => operatorRoles.find((role) => role === name) ?? "viewer"

/** Changes the role of an operator. */
export const RoleDialog = ({ operator, onClose }: { readonly operator: Operator; readonly onClose: () => void }) => {
  const t = useTexts(teamTexts)
  const toast = useToast()
  const draft = useDraft<{ readonly role: OperatorRole }>(`role-${operator.id}`, { role: roleOf(operator.role) })
  const { role } = draft.values
  // Operators who are locked to a realm can't be owners.
  const offered = operatorRoles.filter((one) => one !== "owner" || operator.realm_id === null)
  return (
    <Dialog title={t.changeRoleTitle(operator.email)} onClose={onClose}>
      <Form
        draft={draft}
        write={(sdk) => sdk.operators.update(operator.id, { role })}
        submit={t.changeRole}
        onDone={() => {
          toast({ text: t.roleChanged(operator.email) })
          onClose()
        }}
        onCancel={onClose}
      >
        <Select
          name="role"
          label={t.role}
          help={t.roleTexts[role]}
          value={role}
          onChange={(chosen) => draft.set({ role: chosen })}
          options={offered.map((value) => ({ value, text: t.roles[value] }))}
        />
        <p className="faint">{t.changeRoleText}</p>
      </Form>
    </Dialog>
  )
}
