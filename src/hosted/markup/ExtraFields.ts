import type { ExtraFields } from "#domain/Signup"
import type { Texts } from "../texts/en.ts"
import type { Field, OptionalFields } from "./Fields.ts"

/** What was typed into a sign-up besides e-mail, username and password. */
export interface ExtraValues {
  readonly first_name: string
  readonly last_name: string
  readonly org_name: string
}

/** The fields that a sign-up has besides those of the login, as parts of its form. */
export interface ExtraFieldParts {
  readonly required: ReadonlyArray<Field>
  /** Undefined: everything that is asked for must be filled in. */
  readonly optional: OptionalFields | undefined
}

/** The fields for a person's names and org: those that must be filled in, and the others, which are folded away. */
export const extraFieldParts = (
  { form, signup }: Texts,
  { names, org }: ExtraFields,
  values: ExtraValues
): ExtraFieldParts => {
  const nameFields: ReadonlyArray<Field> = [
    {
      name: "first_name",
      label: form.firstName,
      type: "text",
      autocomplete: "given-name",
      value: values.first_name,
      half: true
    },
    {
      name: "last_name",
      label: form.lastName,
      type: "text",
      autocomplete: "family-name",
      value: values.last_name,
      half: true
    }
  ]
  const orgField: Field = {
    name: "org_name",
    label: signup.org,
    type: "text",
    autocomplete: "organization",
    value: values.org_name
  }
  const required = [...(names === "required" ? nameFields : []), ...(org === "required" ? [orgField] : [])]
  const optional = [...(names === "optional" ? nameFields : []), ...(org === "optional" ? [orgField] : [])]
  const withOrg = names === "optional" ? signup.addNamesAndOrg : signup.addOrg
  const summary = org === "optional" ? withOrg : signup.addNames
  return { required, optional: optional.length === 0 ? undefined : { summary, fields: optional } }
}
