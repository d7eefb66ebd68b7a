import { Result } from "effect"
import { decodeAll, listLengths, longListProblems } from "#api/Decoding"
import { inexactProblems } from "#api/InvalidRequest"
import { UserRow } from "#api/imports/Rows"
import type { ImportedCredential, ImportedMembership, ImportRow } from "#domain/ImportRow"
import { memberOf } from "#domain/JsonObject"
import { parsePermissions } from "#domain/Permission"
import type { Problem } from "#domain/Rejected"
import { orgAttributesOf } from "../provisioning/NewOrgs.ts"
import { userAttributesOf } from "../provisioning/NewUsers.ts"
import { omitUndefined, utcFromTimeT } from "../WireMapping.ts"
import { objectOf, type ReadObject } from "./RowObject.ts"
import { unknownMembers } from "./UnknownMembers.ts"

type Sent = typeof UserRow.Type
type SentCredential = NonNullable<Sent["credentials"]>[number]
type SentMembership = NonNullable<Sent["memberships"]>[number]

/** A row that can't be imported, with its reference if the reference can be read. */
export interface UnreadableRow {
  readonly reference: string | null
  readonly problems: ReadonlyArray<Problem>
}

const lengthsOf = listLengths(UserRow)

const decode = decodeAll(UserRow, "row")

/** Treats null as missing, so that the default applies. */
const given = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined ? undefined : utcFromTimeT(seconds)

const orNull = (seconds: number | null | undefined) => (typeof seconds === "number" ? utcFromTimeT(seconds) : seconds)

const credentialOf = (sent: SentCredential): ImportedCredential => ({
  credentialType: sent.credential_type,
  ...omitUndefined({
    createdAt: given(sent.created_at),
    passwordHash: sent.password_hash,
    lockedAt: orNull(sent.locked_at),
    name: sent.name,
    otpSecret: sent.otp_secret,
    state: sent.state,
    authProviderId: sent.auth_provider_id,
    authProviderName: sent.auth_provider_name,
    providerUserId: sent.provider_user_id,
    accessToken: sent.access_token,
    tokenExpiresAt: orNull(sent.token_expires_at),
    apiKey: sent.api_key
  })
})

const orgOf = (org: NonNullable<SentMembership["org"]>) => ({
  ...omitUndefined({ id: org.id }),
  reference: org.reference ?? null,
  attributes: orgAttributesOf(omitUndefined({ state: org.state, name: org.name, custom: org.custom })),
  ...omitUndefined({ createdAt: given(org.created_at) })
})

const membershipOf = (sent: SentMembership): ImportedMembership =>
  omitUndefined({
    orgId: sent.org_id,
    org: sent.org === undefined || sent.org === null ? sent.org : orgOf(sent.org),
    permissions: sent.permissions === undefined ? undefined : parsePermissions(sent.permissions ?? []),
    custom: sent.custom,
    createdAt: given(sent.created_at),
    expiresAt: orNull(sent.expires_at)
  })

/** Parses the row on a line. */
export const rowOf = (text: string, line: number): Result.Result<ImportRow, UnreadableRow> => {
  const value = objectOf(text)
  if (Result.isFailure(value)) return Result.fail({ reference: null, problems: [value.failure] })
  return objectRow(value.success, line)
}

const objectRow = ({ value, inexact }: ReadObject, line: number): Result.Result<ImportRow, UnreadableRow> => {
  const found = memberOf(value, "reference")
  const reference = typeof found === "string" && found.length <= 1_024 ? found : null
  const lengths = lengthsOf(value)
  const long = longListProblems(lengths, "row")
  if (long.length > 0) return Result.fail({ reference, problems: long })
  if (inexact.length > 0) return Result.fail({ reference, problems: inexactProblems(inexact, "row") })
  const decoded = decode(value, lengths)
  const problems = unknownMembers(value)
  if (Result.isFailure(decoded)) {
    return Result.fail({ reference, problems: [...problems, ...decoded.failure] })
  }
  if (problems.length > 0) return Result.fail({ reference, problems })
  const sent = decoded.success
  const { reference: _, ...attributes } = userAttributesOf({
    ...omitUndefined({
      state: sent.state,
      email: sent.email,
      email_verification: sent.email_verification,
      username: sent.username,
      name: sent.name,
      first_name: sent.first_name,
      last_name: sent.last_name,
      locale: sent.locale,
      custom: sent.custom
    })
  })
  return Result.succeed({
    line,
    reference: sent.reference ?? null,
    userType: sent.user_type ?? "human",
    attributes,
    clearsCustom: sent.custom === null,
    ...omitUndefined({
      id: sent.id,
      createdAt: given(sent.created_at),
      lastLoginAt: orNull(sent.last_login_at),
      credentials: sent.credentials?.map(credentialOf),
      memberships: sent.memberships?.map(membershipOf)
    })
  })
}
