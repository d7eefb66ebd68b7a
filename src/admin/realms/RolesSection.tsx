import type { Realm } from "#client/generated/types/Realm"
import type { RealmRole } from "#client/generated/types/RealmRole"
import { useDraft } from "../calls/Draft.ts"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Lines, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { realmTexts } from "./Texts.ts"

/** The roles of org members. If there are any, the hosted team page is enabled. */
export const RolesSection = ({ realm }: { readonly realm: Realm }) => {
  const t = useTexts(realmTexts)
  const { save, saved } = useTexts(common)
  const toast = useToast()
  const disabled = !useSession().may("admin_realm")
  const draft = useDraft<{ readonly roles: ReadonlyArray<RealmRole> }>("roles", { roles: realm.roles })
  const roles = draft.values.roles
  const setAll = (roles: ReadonlyArray<RealmRole>) => draft.set({ roles })
  const change = (index: number, part: Partial<RealmRole>) =>
    setAll(roles.map((role, at) => (at === index ? { ...role, ...part } : role)))
  return (
    <Section title={t.sections.roles} lead={t.sections.rolesLead}>
      <Form
        write={(sdk) => sdk.realms.update(realm.id, { roles })}
        submit={save}
        canSubmit={draft.isDirty && !disabled}
        draft={draft}
        changes={[["realms"]]}
        loaded={{ read: (sdk) => sdk.realms.get(realm.id), seen: realm, changes: { roles: true } }}
        onDone={() => toast({ text: saved })}
      >
        {roles.length === 0 ? <p className="faint">{t.roles.none}</p> : null}
        {roles.map((role, index) => (
          // Roles have no ID, so their index is the key.
          <fieldset key={index} className="link-fields" aria-label={`${t.roles.role} ${index + 1}`}>
            <TextField
              name={`roles.${index}.name`}
              label={t.roles.role}
              value={role.name}
              disabled={disabled}
              onChange={(name) => change(index, { name })}
            />
            <Lines
              name={`roles.${index}.permissions`}
              label={t.roles.permissions}
              help={t.roles.permissionsHelp}
              value={typeof role.permissions === "string" ? [role.permissions] : role.permissions}
              disabled={disabled}
              onChange={(permissions) => change(index, { permissions })}
            />
            {disabled ? null : (
              <Button small onClick={() => setAll(roles.filter((_, at) => at !== index))}>
                {t.links.remove}
              </Button>
            )}
          </fieldset>
        ))}
        {disabled ? null : (
          <div>
            <Button small onClick={() => setAll([...roles, { name: "", permissions: [] }])}>
              {t.roles.add}
            </Button>
          </div>
        )}
      </Form>
    </Section>
  )
}
