import { useState } from "react"
import { useLocation } from "wouter"
import type { Sallyport } from "#client/Sallyport"
import { useRealmId } from "../calls/Scope.tsx"
import { PermissionsField, tagsOf } from "../memberships/Permissions.tsx"
import { type Picked, UserPicker } from "../memberships/Picker.tsx"
import { NeedsLevel } from "../session/NeedsLevel.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { CustomField, parseCustom } from "../ui/CustomField.tsx"
import { TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { orgsTexts } from "./Texts.ts"

/** The form to create an org, optionally with a first member. */
export const NewOrgPage = () => {
  const t = useTexts(orgsTexts)
  const realmId = useRealmId()
  const [, navigate] = useLocation()
  const toast = useToast()
  const [name, setName] = useState("")
  const [reference, setReference] = useState("")
  const [member, setMember] = useState<Picked>()
  const [permissions, setPermissions] = useState("ar:owner")
  const [custom, setCustom] = useState("")
  const attributes = parseCustom(custom)
  const write = (sdk: Sallyport) =>
    sdk.orgs.create({
      name: name.trim(),
      ...(reference.trim() === "" ? {} : { reference: reference.trim() }),
      ...(custom === "" || attributes === undefined ? {} : { custom: attributes }),
      ...(member === undefined ? {} : { user_ids: [member.id], permissions: tagsOf(permissions) })
    })
  return (
    <>
      <PageHeader title={t.create} above={[{ text: t.orgs, to: pathIn(realmId, "orgs") }]} />
      <NeedsLevel level="write">
        <Section title={t.createTitle}>
          <Form
            write={write}
            submit={t.create}
            isDirty={name !== ""}
            canSubmit={attributes !== undefined}
            onCancel={() => navigate(pathIn(realmId, "orgs"))}
            onDone={(org) => {
              toast({ text: t.createdOne(org.name) })
              navigate(pathIn(realmId, "orgs", org.id))
            }}
          >
            <TextField name="name" label={t.name} value={name} onChange={setName} />
            <TextField
              name="reference"
              label={t.reference}
              help={t.referenceHelp}
              isOptional
              value={reference}
              onChange={setReference}
            />
            <UserPicker name="user_ids" label={t.first} isOptional picked={member} onPick={setMember} />
            {member === undefined ? null : <PermissionsField value={permissions} onChange={setPermissions} />}
            <CustomField value={custom} onChange={setCustom} />
          </Form>
        </Section>
      </NeedsLevel>
    </>
  )
}
