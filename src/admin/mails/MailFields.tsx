import { mailVariables } from "#domain/MailVariable"
import { useTexts } from "../texts/Language.tsx"
import { Select, TextArea, TextField } from "../ui/Fields.tsx"
import { NumberField } from "../ui/NumberField.tsx"
import { Section } from "../ui/Section.tsx"
import { eventName, isMailEvent, mailEvents } from "./MailEvents.ts"
import type { MailValues } from "./MailValues.ts"
import { mailTexts } from "./Texts.ts"

interface MailFieldsProps {
  readonly values: MailValues
  readonly set: (values: Partial<MailValues>) => void
}

/** Returns the names in double braces that aren't variables. They are sent as plain text. */
const unknownIn = (text: string): ReadonlyArray<string> => {
  const known = new Set<string>(mailVariables)
  const named = [...text.matchAll(/\{\{\s*([\w.]+)\s*\}\}/g)].map(([, name = ""]) => name)
  return [...new Set(named.filter((name) => !known.has(name)))]
}

/** Whether some opening braces aren't closed. Such braces are sent as plain text. */
const isUnclosed = (text: string): boolean => /\{\{(?!\s*[\w.]+\s*\}\})/.test(text)

const renderers = ["markdown", "html+text", "html", "text"] as const

/** The form fields of an email. */
export const MailFields = ({ values, set }: MailFieldsProps) => {
  const t = useTexts(mailTexts)
  const unknown = unknownIn(`${values.email_subject} ${values.email_template}`)
  const types = isMailEvent(values.event_type) ? mailEvents : [...mailEvents, values.event_type]
  return (
    <>
      <Section title={t.content}>
        <div className="stack">
          <Select
            name="event_type"
            label={t.event}
            options={types.map((value) => ({ value, text: eventName(t.eventNames, value) }))}
            value={values.event_type}
            onChange={(event_type) => set({ event_type })}
          />
          <TextField
            name="email_subject"
            label={t.subject}
            value={values.email_subject}
            onChange={(email_subject) => set({ email_subject })}
          />
          <Select
            name="email_renderer"
            label={t.renderer}
            help={t.rendererHelp}
            options={renderers.map((value) => ({ value, text: t.renderers[value] }))}
            value={values.email_renderer}
            onChange={(email_renderer) => set({ email_renderer })}
          />
          <TextArea
            name="email_template"
            label={t.template}
            help={t.templateHelp}
            isCode
            rows={14}
            value={values.email_template}
            onChange={(email_template) => set({ email_template })}
          />
          {unknown.length === 0 ? null : (
            <p className="note waiting">{t.unknownVariables(unknown.map((name) => `{{${name}}}`).join(", "))}</p>
          )}
          {isUnclosed(`${values.email_subject} ${values.email_template}`) ? (
            <p className="note waiting">{t.unclosed}</p>
          ) : null}
          <div className="field">
            <p className="field-help">{t.variables}</p>
            <p className="mail-variables">
              {mailVariables.map((name) => (
                <code key={name}>{`{{${name}}}`}</code>
              ))}
            </p>
          </div>
        </div>
      </Section>
      <Section title={t.delivery}>
        <div className="stack">
          <Select
            name="state"
            label={t.state}
            help={t.stateHelp}
            options={(["active", "inactive"] as const).map((value) => ({ value, text: t[value] }))}
            value={values.state}
            onChange={(state) => set({ state })}
          />
          <TextField
            name="email_from"
            type="email"
            label={t.from}
            help={t.fromHelp}
            isOptional
            value={values.email_from}
            onChange={(email_from) => set({ email_from })}
          />
          <TextField
            name="email_from_name"
            label={t.fromName}
            help={t.fromNameHelp}
            isOptional
            value={values.email_from_name}
            onChange={(email_from_name) => set({ email_from_name })}
          />
          <TextField
            name="email_to"
            type="email"
            label={t.copyTo}
            help={t.copyToHelp}
            isOptional
            value={values.email_to}
            onChange={(email_to) => set({ email_to })}
          />
          <div className="form-row">
            <Select
              name="user_type"
              label={t.userType}
              options={(["all", "human", "api"] as const).map((value) => ({ value, text: t.userTypes[value] }))}
              value={values.user_type}
              onChange={(user_type) => set({ user_type })}
            />
            <NumberField
              name="delay"
              label={t.delay}
              help={t.delayHelp}
              value={values.delay}
              onChange={(delay) => set({ delay: delay ?? 0 })}
            />
          </div>
        </div>
      </Section>
    </>
  )
}
