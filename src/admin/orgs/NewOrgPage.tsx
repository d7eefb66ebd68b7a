import { useLocation } from "wouter"
import type { Sallyport } from "#client/Sallyport"
import { useDraft } from "../calls/Draft.ts"
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

interface NewOrg {
  readonly name: string
  readonly reference: string
  readonly user_ids: Picked | undefined
  readonly permissions: string
  readonly custom: string
}

const initial: NewOrg = { name: "", reference: "", user_ids: undefined, permissions: "ar:owner", custom: "" }

/** The form to create an org, optionally with a first member. */
export const NewOrgPage = () => {
  const t = useTexts(orgsTexts)
  const realmId = useRealmId()
  const [, navigate] = useLocation()
  const toast = useToast()
  const draft = useDraft("new", initial)
  const { name, reference, user_ids: member, permissions, custom } = draft.values
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
            draft={draft}
            canSubmit={attributes !== undefined}
            onCancel={() => navigate(pathIn(realmId, "orgs"))}
            onDone={(org) => {
              toast({ text: t.createdOne(org.name) })
              navigate(pathIn(realmId, "orgs", org.id))
            }}
          >
            <TextField name="name" label={t.name} value={name} onChange={(text) => draft.set({ name: text })} />
            <TextField
              name="reference"
              label={t.reference}
              help={t.referenceHelp}
              isOptional
              value={reference}
              onChange={(text) => draft.set({ reference: text })}
            />
            <UserPicker
              name="user_ids"
              label={t.first}
              isOptional
              picked={member}
              onPick={(user_ids) => draft.set({ user_ids })}
            />
            {member === undefined ? null : (
              <PermissionsField value={permissions} onChange={(text) => draft.set({ permissions: text })} />
            )}
            <CustomField value={custom} onChange={(text) => draft.set({ custom: text })} />
          </Form>
        </Section>
      </NeedsLevel>
    </>
  )
}
