import { Schema } from "effect"
import { providerStates } from "#domain/AuthProvider"
import { characterKinds } from "#domain/PasswordPolicy"
import { Choice, Integer, maybe, Scopes, Words } from "../Wire.ts"

// The core checks what these hold: the type of the provider decides which of them it has.
const text = maybe(Schema.String)

/** What a caller may set of an auth provider. Members that its type does not have are ignored (C8, C44). */
export const settings = {
  state: Schema.optionalKey(Choice(providerStates)),
  min_length: maybe(Integer),
  preset: maybe(Choice(["none", "nist"])),
  required_chars: maybe(Words(Choice(characterKinds))),
  name: text,
  client_id: text,
  client_secret: text,
  scopes: maybe(Scopes),
  authorization_url: text,
  token_url: text,
  profile_url: text,
  id_field: text,
  email_field: text,
  email_verified_field: text,
  first_name_field: text,
  last_name_field: text,
  name_field: text
}

export const Settings = Schema.Struct(settings)

export type AuthProviderPayload = (typeof Settings)["Type"]
