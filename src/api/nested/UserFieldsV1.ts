import { userTypes } from "#domain/User"
import { Choice, maybe, Text } from "../Wire.ts"
import { userFields as inV2, newUserFields as newInV2 } from "./UserFieldsV2.ts"

/** What a caller may set of a user (api-v1 section 2): the names of a human, the `name` and the `api_key` of an api user. */
export const userFields = {
  state: inV2.state,
  username: inV2.username,
  email: inV2.email,
  email_verification: inV2.email_verification,
  first_name: inV2.first_name,
  last_name: inV2.last_name,
  name: maybe(Text()),
  reference: inV2.reference,
  custom: inV2.custom,
  password: inV2.password,
  password_confirmation: inV2.password_confirmation,
  api_key: maybe(Text())
}

/** The same for a new user. A malformed `token` is just not a good one. */
export const newUserFields = {
  ...userFields,
  user_type: maybe(Choice(userTypes)),
  token: maybe(Text(1_024)),
  credentials: newInV2.credentials
}
