import type { Realm } from "#client/generated/types/Realm"
import type { ResourceLink } from "#client/generated/types/ResourceLink"
import { useDraft } from "../calls/Draft.ts"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Select, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { realmTexts } from "./Texts.ts"

/** The realm's custom links for users and orgs. */
export const LinksSection = ({ realm }: { readonly realm: Realm }) => {
  const t = useTexts(realmTexts)
  const { save, saved } = useTexts(common)
  const toast = useToast()
  const disabled = !useSession().may("admin_realm")
  const draft = useDraft<{ readonly resource_links: ReadonlyArray<ResourceLink> }>("resource_links", {
    resource_links: realm.resource_links
  })
  const links = draft.values.resource_links
  const setAll = (resource_links: ReadonlyArray<ResourceLink>) => draft.set({ resource_links })
  const change = (index: number, part: Partial<ResourceLink>) =>
    setAll(links.map((link, at) => (at === index ? { ...link, ...part } : link)))
  return (
    <Section title={t.sections.links} lead={t.sections.linksLead}>
      <Form
        write={(sdk) => sdk.realms.update(realm.id, { resource_links: links })}
        submit={save}
        canSubmit={draft.isDirty && !disabled}
        draft={draft}
        changes={[["realms"]]}
        loaded={{ read: (sdk) => sdk.realms.get(realm.id), seen: realm, changes: { resource_links: true } }}
        onDone={() => toast({ text: saved })}
      >
        {links.length === 0 ? <p className="faint">{t.links.none}</p> : null}
        {links.map((link, index) => (
          // Links have no ID, so their index is the key.
          <fieldset key={index} className="link-fields" aria-label={`${t.sections.links} ${index + 1}`}>
            <Select
              name={`resource_links.${index}.resource`}
              label={t.links.resource}
              value={link.resource}
              disabled={disabled}
              options={(["user", "org"] as const).map((value) => ({ value, text: t.links[value] }))}
              onChange={(resource) => change(index, { resource })}
            />
            <TextField
              name={`resource_links.${index}.title`}
              label={t.links.title}
              value={link.title}
              disabled={disabled}
              onChange={(title) => change(index, { title })}
            />
            <TextField
              name={`resource_links.${index}.url`}
              label={t.links.url}
              help={t.links.urlHelp}
              isCode
              value={link.url}
              disabled={disabled}
              placeholder="https://support.example.com/users/{{reference}}"
              onChange={(url) => change(index, { url })}
            />
            {disabled ? null : (
              <Button small onClick={() => setAll(links.filter((_, at) => at !== index))}>
                {t.links.remove}
              </Button>
            )}
          </fieldset>
        ))}
        {disabled ? null : (
          <div>
            <Button small onClick={() => setAll([...links, { resource: "user", title: "", url: "" }])}>
              {t.links.add}
            </Button>
          </div>
        )}
      </Form>
    </Section>
  )
}
