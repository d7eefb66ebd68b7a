import { useState } from "react"
import type { Operator } from "#client/generated/types/Operator"
import { type OperatorRole, operatorRoles } from "#domain/OperatorRole"
import { useDraft } from "../calls/Draft.ts"
import { useRead } from "../calls/Reads.ts"
import { useMailText } from "../session/MailText.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Select, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { InvitationLink } from "./InvitationLink.tsx"
import { teamTexts } from "./Texts.ts"

interface NewOperator {
  readonly email: string
  readonly role: OperatorRole
  readonly realm_id: string
}

/** The number of realms offered. The API accepts any realm. */
const MAX_REALMS = 100

/** Invites an operator, and shows the link of the invitation. */
export const InviteDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTexts(teamTexts)
  const { language } = useLanguage()
  const ofMail = useMailText()
  const draft = useDraft<NewOperator>("invite", { email: "", role: "viewer", realm_id: "" })
  const { email, role, realm_id: realmId } = draft.values
  const [made, setMade] = useState<Operator | undefined>()
  const realms = useRead(
    ["realms", "offered", MAX_REALMS],
    async (sdk) => await sdk.realms.list({ max_results: MAX_REALMS })
  )
  if (made?.url !== undefined)
    return (
      <InvitationLink
        title={t.invitedTitle(made.email)}
        lead={ofMail(t.invitedText)}
        url={made.url}
        onClose={onClose}
      />
    )
  return (
    <Dialog title={t.invite} onClose={onClose}>
      <Form
        draft={draft}
        write={(sdk) =>
          sdk.operators.create({
            email,
            role,
            locale: language,
            realm_id: role === "owner" || realmId === "" ? null : realmId
          })
        }
        submit={t.invite}
        onDone={setMade}
        onCancel={onClose}
      >
        <TextField
          name="email"
          label={t.email}
          type="email"
          value={email}
          onChange={(text) => draft.set({ email: text })}
        />
        <Select
          name="role"
          label={t.role}
          help={t.roleTexts[role]}
          value={role}
          onChange={(chosen) => draft.set({ role: chosen })}
          options={operatorRoles.map((value) => ({ value, text: t.roles[value] }))}
        />
        {role === "owner" ? (
          <p className="faint">{t.realmHelp}</p>
        ) : (
          <Select
            name="realm_id"
            label={t.realm}
            value={realmId}
            onChange={(chosen) => draft.set({ realm_id: chosen })}
            options={[
              { value: "", text: t.allRealms },
              ...(realms.data?.items ?? []).map(({ id, name }) => ({ value: id, text: name }))
            ]}
          />
        )}
      </Form>
    </Dialog>
  )
}
