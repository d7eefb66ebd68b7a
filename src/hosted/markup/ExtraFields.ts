import type { ExtraFields } from "#domain/Signup"
import type { Texts } from "../texts/en.ts"
import type { Field, OptionalFields } from "./Fields.ts"

/** The values of a sign-up form besides email, username and password. */
export interface ExtraValues {
  readonly first_name: string
  readonly last_name: string
  readonly org_name: string
}

/** The fields of a sign-up form besides those of the login. */
export interface ExtraFieldParts {
  readonly required: ReadonlyArray<Field>
  /** The optional fields, or undefined if all extra fields are required. */
  readonly optional: OptionalFields | undefined
}

/** The fields for names and the org. Required fields are visible, and optional fields are collapsed. */
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
