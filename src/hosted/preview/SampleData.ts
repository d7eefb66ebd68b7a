import { DateTime } from "effect"
import type { InvitationPreview } from "#core/invitations/InvitationFlow"
import type { WaitingDevice } from "#core/oauth/DeviceAuthorizations"
import { enrolmentOf } from "#core/tokens/TotpSetup"
import { defaultAppearance } from "#domain/Appearance"
import { brandNameOf } from "#domain/ConnectedApp"
import { clientTypeRules } from "#domain/clients/ClientTypeRules"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import { defaultOAuthSettings } from "#domain/clients/OAuthClientInput"
import { AppId, AuthProviderId, InvitationId, MembershipId, OrgId, SessionId, UserId } from "#domain/Ids"
import type { Invitation } from "#domain/Invitation"
import type { LinkedMembership } from "#domain/Membership"
import type { Org } from "#domain/Org"
import type { AuthorizationRequest } from "#domain/oauth/AuthorizationRequest"
import { defaultPasskeyRules } from "#domain/Passkey"
import { creationOptions } from "#domain/PasskeyOptions"
import type { PasswordRequirements } from "#domain/PasswordPolicy"
import { ADMIN, OWNER, type Role } from "#domain/Role"
import type { Session } from "#domain/Session"
import type { User } from "#domain/User"
import type { AppPageContext } from "../PageContext.ts"

/** The roles of a realm that has none. */
const sampleRoles: ReadonlyArray<Role> = [
  { name: "Admin", permissions: [ADMIN] },
  { name: "Member", permissions: [] }
]

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1"

/** Returns the data of the sample pages at a time. No other user, org or app is read. */
export const sampleData = (context: AppPageContext, passwordRequirements: PasswordRequirements, now: DateTime.Utc) => {
  const realmId = context.realm.id
  const daysAgo = (days: number) => DateTime.subtract(now, { days })
  const createdAt = daysAgo(90)

  const person = (id: string, firstName: string, lastName: string): User => {
    const email = `${firstName.toLowerCase()}@example.com`
    return {
      id: UserId.make(`usr_${id}`),
      realmId,
      userType: "human",
      state: "active",
      email,
      emailPending: null,
      emailVerification: "verified",
      provedEmail: email,
      username: firstName.toLowerCase(),
      firstName,
      lastName,
      name: `${firstName} ${lastName}`,
      locale: null,
      reference: null,
      custom: {},
      lastLoginAt: null,
      deletionAt: null,
      createdAt
    }
  }
  const [user, charles, mary] = [
    person("ada", "Ada", "Lovelace"),
    person("charles", "Charles", "Babbage"),
    person("mary", "Mary", "Somerville")
  ]

  const org = (id: string, name: string): Org => ({
    id: OrgId.make(`org_${id}`),
    realmId,
    state: "active",
    name,
    reference: null,
    custom: {},
    createdAt
  })
  const orgs = [org("engines", "Analytical Engines"), org("lovelace", "Lovelace & Co.")] as const
  const [engines] = orgs

  // The team has roles even if the realm has none.
  const roles = context.realm.roles.length > 0 ? context.realm.roles : sampleRoles
  const teamContext: AppPageContext = { ...context, realm: { ...context.realm, orgMode: "multi_user", roles } }
  const memberOf = (member: User, permissions: ReadonlyArray<string>): LinkedMembership => ({
    id: MembershipId.make(`mb_${member.username}`),
    realmId,
    userId: member.id,
    orgId: engines.id,
    permissions,
    custom: {},
    createdAt,
    expiresAt: null,
    org: engines,
    user: member
  })
  const members = [
    memberOf(user, [OWNER]),
    memberOf(charles, roles[0]?.permissions ?? []),
    memberOf(mary, roles.at(-1)?.permissions ?? [])
  ] as const

  const invitation: Invitation = {
    id: InvitationId.make("nvt_sample"),
    realmId,
    invitationType: "org",
    email: "george@example.com",
    orgId: engines.id,
    invitingUserId: user.id,
    isSentByMember: true,
    authProviderId: null,
    appId: context.app.id,
    permissions: roles.at(-1)?.permissions ?? [],
    locale: context.texts.language,
    createdAt: daysAgo(2),
    invitedAt: daysAgo(2),
    expiresAt: DateTime.add(now, { days: 28 })
  }
  const invited: InvitationPreview = {
    invitation,
    org: engines,
    inviter: user.name,
    hasAccount: true,
    isMember: false,
    passwordRequirements
  }

  const clientOf = (clientType: "web" | "device", name: string): OAuthClient => ({
    id: AppId.make(`lpl_${clientType}`),
    realmId,
    createdAt,
    clientType,
    state: "active",
    name,
    redirectUris: ["https://calendar.example/callback"],
    appearance: defaultAppearance,
    registration: null,
    ...defaultOAuthSettings(clientTypeRules[clientType])
  })
  const scopes = ["openid", "profile", "email"]
  const request: AuthorizationRequest = {
    client: clientOf("web", "Calendar"),
    redirectUri: "https://calendar.example/callback",
    responseMode: "query",
    state: null,
    scopes,
    resources: [],
    nonce: null,
    codeChallenge: null,
    prompts: [],
    maxAge: null,
    acr: null,
    loginHint: null,
    idTokenHint: null,
    subject: null,
    uiLocales: null,
    claims: null,
    orgId: null,
    jkt: null
  }
  const device: WaitingDevice = {
    client: clientOf("device", "Calendar TV"),
    device: {
      id: "sample",
      realmId,
      clientId: AppId.make("lpl_device"),
      appId: context.app.id,
      userCode: "WDJBMJHT",
      scopes,
      resources: [],
      requestIp: "203.0.113.7",
      requestClient: "CalendarTV/2.1",
      state: "pending",
      userId: null,
      authentication: null,
      pollSeconds: 5,
      polledAt: null,
      createdAt: DateTime.subtract(now, { minutes: 1 }),
      expiresAt: DateTime.add(now, { minutes: 9 })
    }
  }

  const session = (id: string, requestClient: string, requestIp: string, days: number): Session => ({
    id: SessionId.make(`kss_${id}`),
    realmId,
    userId: user.id,
    appId: context.app.id,
    orgId: null,
    requestIp,
    requestClient,
    authentication: null,
    lastSeenAt: days === 0 ? now : daysAgo(days),
    createdAt: daysAgo(days + 1),
    expiresAt: null
  })

  return {
    context,
    passwordRequirements,
    user,
    orgs,
    teamContext,
    members,
    invitation,
    invited,
    request,
    device,
    sessions: [session("laptop", FIREFOX, "203.0.113.7", 0), session("phone", IPHONE, "198.51.100.24", 3)] as const,
    passkeys: [
      {
        id: "crd_laptop",
        name: "MacBook",
        synced: true,
        restrictedToDomain: undefined,
        createdAt: daysAgo(60),
        lastUsedAt: daysAgo(1)
      },
      {
        id: "crd_key",
        name: "YubiKey 5",
        synced: false,
        restrictedToDomain: undefined,
        createdAt: daysAgo(30),
        lastUsedAt: null
      }
    ],
    apps: [{ id: AppId.make("lpl_web"), name: "Calendar", scopes, since: daysAgo(30), lastUsedAt: daysAgo(1) }],
    linkedProvider: {
      id: AuthProviderId.make("ap_google"),
      providerType: "google",
      name: null,
      credential: "crd_google",
      isRemovable: true
    } as const,
    otherProvider: { id: AuthProviderId.make("ap_github"), providerType: "github", name: null } as const,
    passkeyOptions: {
      token: "sample",
      options: creationOptions(
        { challenge: "c2FtcGxl", rpId: "example.com" },
        brandNameOf(context),
        user,
        defaultPasskeyRules,
        []
      )
    },
    authenticator: enrolmentOf("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", context.realm, user),
    deletionAt: DateTime.add(now, { days: 14 })
  }
}

/** The data of the sample pages. */
export type Sample = ReturnType<typeof sampleData>
