import { useLocation } from "wouter"
import { useDraft } from "../calls/Draft.ts"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Select, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { realmTexts } from "./Texts.ts"

interface NewRealm {
  readonly name: string
  readonly environment: "live" | "test"
  readonly signup: "open" | "invitation" | "closed"
}

const initial: NewRealm = { name: "", environment: "live", signup: "open" }

/** The form to create a realm. */
export const NewRealmPage = () => {
  const t = useTexts(realmTexts)
  const toast = useToast()
  const [, navigate] = useLocation()
  const draft = useDraft("new", initial)
  const { name, environment, signup } = draft.values
  return (
    <>
      <PageHeader title={t.create} lead={t.createLead} above={[{ text: t.realms, to: "/realms" }]} />
      <Section title={t.basics}>
        <Form
          write={(sdk) => sdk.realms.create({ name, environment, signup })}
          submit={t.create}
          draft={draft}
          onDone={(realm) => {
            toast({ text: t.created(realm.name) })
            navigate(pathIn(realm.id))
          }}
        >
          <TextField
            name="name"
            label={t.name}
            help={t.fields.name.help}
            value={name}
            onChange={(text) => draft.set({ name: text })}
          />
          <Select
            name="environment"
            label={t.fields.environment.label}
            help={t.fields.environment.help}
            value={environment}
            onChange={(chosen) => draft.set({ environment: chosen })}
            options={(["live", "test"] as const).map((value) => ({ value, text: t.choices[value] }))}
          />
          <Select
            name="signup"
            label={t.fields.signup.label}
            help={t.fields.signup.help}
            value={signup}
            onChange={(chosen) => draft.set({ signup: chosen })}
            options={(["open", "invitation", "closed"] as const).map((value) => ({ value, text: t.choices[value] }))}
          />
        </Form>
      </Section>
    </>
  )
}
