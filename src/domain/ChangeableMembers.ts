import { Struct } from "effect"
import type { AppHookInput } from "./AppHookInput.ts"
import type { AuthProviderInput } from "./AuthProviderInput.ts"
import type { ConnectedAppInput } from "./ConnectedAppInput.ts"
import type { OAuthInput } from "./clients/OAuthClientInput.ts"
import { changedMembersIn, memberNameOf, type UpdateType } from "./EventChanges.ts"
import type { InvitationChanges } from "./Invitation.ts"
import type { MembershipAttributes } from "./Membership.ts"
import type { OrgAttributes } from "./Org.ts"
import type { RealmSettings } from "./Realm.ts"
import type { UserAttributes } from "./User.ts"

/** Requires an entry for each attribute, so that a missing one is a compile error. */
type EveryAttribute<Attributes> = { readonly [Name in keyof Required<Attributes>]: true }

const user: EveryAttribute<UserAttributes> = {
  state: true,
  email: true,
  emailPending: true,
  emailVerification: true,
  username: true,
  name: true,
  firstName: true,
  lastName: true,
  locale: true,
  reference: true,
  custom: true
}

const org: EveryAttribute<OrgAttributes> = { state: true, name: true, reference: true, custom: true }

const membership: EveryAttribute<MembershipAttributes> = { permissions: true, expiresAt: true, custom: true }

const invitation: EveryAttribute<InvitationChanges> = { permissions: true, expiresAt: true }

const realm: EveryAttribute<RealmSettings> = {
  name: true,
  state: true,
  reference: true,
  custom: true,
  environment: true,
  usernameValidationHuman: true,
  requireUniqueEmails: true,
  apiKeyPrefix: true,
  apiKeyPolicy: true,
  jwtAlgo: true,
  jwtFields: true,
  jwtClaims: true,
  sessionType: true,
  sessionMinutes: true,
  sessionTokens: true,
  mfa: true,
  jwtMaxBytes: true,
  recordsUnknownNames: true,
  apiKeyMinutes: true,
  orgMode: true,
  signup: true,
  signupFields: true,
  emailVerification: true,
  defaultLocale: true,
  availableLocales: true,
  resourceLinks: true,
  limits: true,
  eventRetentionDays: true,
  accountDeletionDays: true,
  trustedDevicesDays: true,
  passkeyRpId: true,
  oauthScopes: true,
  clientRegistration: true,
  registrationScopes: true,
  registrationResources: true,
  roles: true
}

const hook: EveryAttribute<AppHookInput> = {
  state: true,
  eventTypes: true,
  delay: true,
  destination: true,
  emailFrom: true,
  emailFromName: true,
  emailRenderer: true,
  emailSubject: true,
  emailTemplate: true,
  emailTo: true,
  userType: true
}

const app: EveryAttribute<ConnectedAppInput> = {
  state: true,
  name: true,
  subdomain: true,
  header: true,
  footer: true,
  externalCss: true,
  loginHandler: true,
  signupHandler: true,
  redirectUris: true,
  logoutUris: true,
  signupMode: true,
  requirePasswordConfirmation: true,
  requireNames: true,
  requireOrgName: true,
  allowJsonp: true,
  autoContinue: true,
  allowInvitations: true,
  invitationPermissions: true,
  appearance: true
}

const client: EveryAttribute<OAuthInput> = {
  postLogoutRedirectUris: true,
  backchannelLogoutUri: true,
  clientUri: true,
  initiateLoginUri: true,
  grantTypes: true,
  tokenEndpointAuthMethod: true,
  jwks: true,
  jwksUri: true,
  allowedScopes: true,
  resources: true,
  consent: true,
  idTokenClaims: true,
  requirePkce: true,
  requirePar: true,
  requireDpop: true,
  accessTokenMinutes: true,
  refreshTokenDays: true,
  loginAppId: true
}

const provider: EveryAttribute<AuthProviderInput> = {
  state: true,
  minLength: true,
  preset: true,
  requiredChars: true,
  secondFactor: true,
  name: true,
  clientId: true,
  clientSecret: true,
  scopes: true,
  callbackByType: true,
  teamId: true,
  keyId: true,
  tenant: true,
  issuer: true,
  responseMode: true,
  authorizationUrl: true,
  tokenUrl: true,
  profileUrl: true,
  tokenEndpointAuthMethod: true,
  idField: true,
  emailField: true,
  emailVerifiedField: true,
  firstNameField: true,
  lastNameField: true,
  nameField: true,
  userVerification: true,
  attestation: true,
  attestationRoots: true
}

const namesOf = (attributes: object, ...others: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...Object.keys(attributes).map(memberNameOf),
  ...others
]

const invitationMembers = namesOf(invitation)

/** The members that each type of update event can list as changed, by their v2 names. Changed secrets have a name too (C64). */
const members: Readonly<Record<UpdateType, ReadonlyArray<string>>> = {
  "app_hook.updated": namesOf(hook, "secret"),
  "console.updated": ["api_keys"],
  "auth_provider.updated": namesOf(provider),
  "invitation.org.updated": invitationMembers,
  "invitation.preverify.updated": invitationMembers,
  "invitation.referral.updated": invitationMembers,
  "invitation.request.updated": invitationMembers,
  "login_policy.updated": namesOf({ ...app, ...client }, "client_type"),
  "membership.updated": namesOf(membership),
  "operator.updated": ["role"],
  "org.updated": namesOf(org),
  "realm.updated": namesOf(realm, "jwt_keys"),
  "user.profile.updated": namesOf(user, "password", "credentials"),
  "user.updated": namesOf(user, "api_key", "credentials", "password")
}

/** All members that an update event can list, by their names in either version, sorted alphabetically. */
export const changeableMembers = (): ReadonlyArray<string> => {
  const names = Struct.keys(members).flatMap((type) => [
    ...changedMembersIn(type, members[type], "v1"),
    ...changedMembersIn(type, members[type], "v2")
  ])
  return [...new Set(names)].toSorted()
}
