import type { Redacted } from "effect"
import { Layer } from "effect"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Actors } from "#actors/Actors"
import { ApiKeys } from "#core/access/ApiKeys"
import { IdempotentRequests } from "#core/access/IdempotentRequests"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import { Credentials } from "#core/credentials/Credentials"
import { PasswordChecks } from "#core/credentials/PasswordChecks"
import { TotpVerifier } from "#core/credentials/TotpVerifier"
import { Journal } from "#core/events/Journal"
import { AccountLinking } from "#core/external/AccountLinking"
import { AuthorizationCodeExchange } from "#core/external/AuthorizationCodeExchange"
import { AuthorizationUrls } from "#core/external/AuthorizationUrls"
import { ExternalLogins } from "#core/external/ExternalLogins"
import { OAuthStates } from "#core/external/OAuthStates"
import { ProviderProfiles } from "#core/external/ProviderProfiles"
import { AppHooks } from "#core/hooks/AppHooks"
import { DefaultHooks } from "#core/hooks/DefaultHooks"
import { Deliveries } from "#core/hooks/Deliveries"
import { HookMails, type MailFrom } from "#core/hooks/HookMails"
import { MailLinks } from "#core/hooks/MailLinks"
import { Notifications } from "#core/hooks/Notifications"
import { Pings } from "#core/hooks/Pings"
import { Webhooks } from "#core/hooks/Webhooks"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { Signups } from "#core/hosted/Signups"
import { SocialLoginFlow } from "#core/hosted/SocialLoginFlow"
import { Acceptance } from "#core/invitations/Acceptance"
import { InvitationFlow } from "#core/invitations/InvitationFlow"
import { Invitations } from "#core/invitations/Invitations"
import { MemberInvites } from "#core/invitations/MemberInvites"
import { Issuer } from "#core/keys/Issuer"
import { JwtKeys } from "#core/keys/JwtKeys"
import { KeyRing } from "#core/keys/KeyRing"
import { TokenVerifier } from "#core/keys/TokenVerifier"
import { AccountLocks } from "#core/limits/AccountLocks"
import { KnownBrowsers } from "#core/limits/KnownBrowsers"
import { LoginAttempts } from "#core/limits/LoginAttempts"
import { RateLimits } from "#core/limits/RateLimits"
import { EmailConfirmations } from "#core/login/EmailConfirmations"
import { EmailVerifications } from "#core/login/EmailVerifications"
import { KeyLogins } from "#core/login/KeyLogins"
import { LoginCompletion } from "#core/login/LoginCompletion"
import { MailboxProofs } from "#core/login/MailboxProofs"
import { MfaLogins } from "#core/login/MfaLogins"
import { PasswordLogins } from "#core/login/PasswordLogins"
import { PasswordResets } from "#core/login/PasswordResets"
import { PasswordUpdates } from "#core/login/PasswordUpdates"
import { SelfServiceMails } from "#core/login/SelfServiceMails"
import { MailSenders, type SenderDomains } from "#core/mail/MailSenders"
import { Memberships } from "#core/memberships/Memberships"
import { Orgs } from "#core/orgs/Orgs"
import { CommonPasswords } from "#core/passwords/CommonPasswords"
import { PasswordHasher } from "#core/passwords/PasswordHasher"
import { NewCredentials } from "#core/provisioning/NewCredentials"
import { NewMemberships } from "#core/provisioning/NewMemberships"
import { NewOrgs } from "#core/provisioning/NewOrgs"
import { NewPasswords } from "#core/provisioning/NewPasswords"
import { NewUsers } from "#core/provisioning/NewUsers"
import { OrgSignup } from "#core/provisioning/OrgSignup"
import { AuthProviders } from "#core/realms/AuthProviders"
import { Realms } from "#core/realms/Realms"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { LoginTokens } from "#core/sessions/LoginTokens"
import { NewSessions } from "#core/sessions/NewSessions"
import { Sessions } from "#core/sessions/Sessions"
import { SignupTokens } from "#core/signup/SignupTokens"
import { ApiKeyDigests } from "#core/tokens/ApiKeyDigests"
import { OneTimeTokens } from "#core/tokens/OneTimeTokens"
import { EncryptedColumns } from "#core/upkeep/EncryptedColumns"
import { EventRetention } from "#core/upkeep/EventRetention"
import { Health } from "#core/upkeep/Health"
import { AccountSettings } from "#core/users/AccountSettings"
import { Users } from "#core/users/Users"
import { UserUpdates } from "#core/users/UserUpdates"
import type { Limited } from "#domain/Limit"
import type { HashCost } from "#domain/PasswordHash"
import { AppPageRoutes } from "#hosted/AppPages"
import { HostedApiRoutes } from "#hosted/api/Routes"
import { HostedRoutes } from "#hosted/Routes"
import { SocialRoutes } from "#hosted/Social"
import { HeaderNames } from "#http/Authentication"
import { HomeRoute } from "#http/home/HomeRoute"
import { OperatorRoutes, Routes } from "#http/Routes"
import { SafeHeaders } from "#http/SafeHeaders"
import { ActorStates } from "#platform/ActorStates"
import { ClientAddress } from "#platform/ClientAddress"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { LoginDomains } from "#platform/LoginDomains"
import { OutboundPolicy } from "#platform/OutboundPolicy"
import { Secrets } from "#platform/Secrets"
import { Signer } from "#platform/Signer"
import { SlowSql, Transaction, TransactionsAtOnce } from "#platform/Transaction"
import { WakeUps } from "#platform/WakeUps"
import { Connections } from "#sql/Database"
import { layer as mailThread } from "./MailThread.ts"
import { Repositories } from "./Repositories.ts"

/** What a Sallyport is set up with. The outside world (database, clock, randomness) is open at the bottom. */
export interface Options {
  readonly publicUrl: string
  /** The domain of all login domains, and the name of the region that stands before it (decision 40). */
  readonly loginDomain: string
  readonly region: string
  readonly issuer: string | undefined
  readonly headerPrefix: string
  readonly maxRealms: number
  /** For how many days events are kept; realms may keep theirs for less. */
  readonly eventRetentionDays: number
  /** Which of the limits of decision 45 hold. */
  readonly limits: Limited
  /** The proxies that are believed who calls: addresses and networks. */
  readonly trustedProxies: ReadonlyArray<string>
  /** Whether callers may name addresses of private networks for the service to call. */
  readonly allowPrivateTargets: boolean
  /** What each password hash costs. */
  readonly hashCost: HashCost
  /** Where mails come from unless their hook says otherwise. */
  readonly mailFrom: MailFrom
  /** The domains whose addresses hooks may send from. */
  readonly mailFromDomains: SenderDomains
  /** The keys that encrypt secrets at rest, the first for new ones. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/** The two clients of the database, under the names that the core asks for. */
export const Clients = Layer.unwrap(
  Effect.map(Connections, ({ fast, slow, transactions }) =>
    Layer.mergeAll(
      Layer.succeed(SqlClient, fast),
      Layer.succeed(SlowSql, slow),
      Layer.succeed(TransactionsAtOnce, transactions)
    )
  )
)

/** What operations are made of: repositories, and services that no surface talks to. */
const beneath = (options: Options, rateLimits: ReturnType<typeof RateLimits.layer>) =>
  Layer.mergeAll(
    AccountLinking.layer.pipe(Layer.provideMerge(NewUsers.layer)),
    OrgSignup.layer.pipe(Layer.provideMerge(Layer.mergeAll(NewOrgs.layer, NewMemberships.layer))),
    LoginCompletion.layer,
    TotpVerifier.layer,
    PasswordChecks.layer,
    OAuthStates.layer,
    AuthorizationCodeExchange.layer,
    ProviderProfiles.layer,
    HookMails.layer(options)
  ).pipe(
    Layer.provideMerge(NewSessions.layer),
    Layer.provideMerge(Layer.mergeAll(MailboxProofs.layer, NewCredentials.layer)),
    Layer.provideMerge(NewPasswords.layer),
    Layer.provideMerge(Layer.mergeAll(KeyRing.layer, Journal.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        OneTimeTokens.layer,
        LoginAttempts.layer.pipe(
          Layer.provideMerge(Layer.mergeAll(AccountLocks.layer, ApiKeyDigests.layer, KnownBrowsers.layer))
        ),
        CommonPasswords.layer,
        DefaultHooks.layer,
        MailLinks.layer(options.publicUrl),
        Webhooks.layer,
        mailThread,
        MailSenders.layer(options),
        WakeUps.layer
      )
    ),
    Layer.provideMerge(rateLimits),
    Layer.provideMerge(Repositories),
    Layer.provideMerge(
      Layer.mergeAll(Transaction.layer, Signer.layer, Secrets.layer(options.secrets), OutboundPolicy.layer(options))
    ),
    Layer.provideMerge(Clients)
  )

const coreWith = (options: Options, rateLimits: ReturnType<typeof RateLimits.layer>) =>
  Layer.mergeAll(
    Actors.layer,
    ApiKeys.layer,
    AppHooks.layer,
    SocialLoginFlow.layer.pipe(Layer.provideMerge(Layer.mergeAll(AuthorizationUrls.layer, ExternalLogins.layer))),
    ConnectedApps.layer,
    Health.layer,
    IdempotentRequests.layer,
    Journal.layer,
    JwtKeys.layer,
    KeyLogins.layer,
    KeyRing.layer,
    InvitationFlow.layer,
    EmailConfirmations.layer.pipe(Layer.provideMerge(SelfServiceMails.layer)),
    Notifications.layer,
    MemberInvites.layer,
    AccountSettings.layer,
    Orgs.layer,
    PasswordUpdates.layer,
    Pings.layer,
    rateLimits,
    Realms.layer(options),
    Signups.layer,
    UserUpdates.layer
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Acceptance.layer,
        BrowserSessions.layer,
        Credentials.layer,
        LoginTokens.layer,
        EmailVerifications.layer,
        PasswordLoginFlow.layer,
        Invitations.layer,
        PasswordResets.layer
      )
    ),
    Layer.provideMerge(Layer.mergeAll(MfaLogins.layer, PasswordLogins.layer, Sessions.layer)),
    Layer.provideMerge(Layer.mergeAll(AuthProviders.layer, Users.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        Memberships.layer,
        EventRetention.layer(options),
        EncryptedColumns.layer,
        SignupTokens.layer,
        TokenVerifier.layer,
        Deliveries.layer,
        WakeUps.layer
      )
    ),
    Layer.provide(beneath(options, rateLimits)),
    Layer.provideMerge(
      Layer.mergeAll(
        ActorStates.layer,
        IdGenerator.layer,
        PasswordHasher.layer({ cost: options.hashCost }),
        LoginDomains.layer(options),
        ClientAddress.layer(options),
        Issuer.layer({ publicUrl: options.publicUrl, configured: options.issuer })
      )
    ),
    Layer.provide(Entropy.layer)
  )

/** Everything the service does, without HTTP: the operations alone, so that a request carries few services with it. */
export const core = (options: Options) => coreWith(options, RateLimits.layer(options))

/** The doors to the core. `mailbox`: whether mails stay here. */
export const routes = (options: Options & { readonly mailbox: boolean }) =>
  Layer.mergeAll(Routes, HomeRoute(options), HostedRoutes(options), HostedApiRoutes, AppPageRoutes, SocialRoutes).pipe(
    Layer.provide([HeaderNames.layer(options.headerPrefix), SafeHeaders.layer(options)])
  )

/** The doors of a port that only operators reach. */
export const operatorRoutes = (options: Pick<Options, "publicUrl">) =>
  OperatorRoutes.pipe(Layer.provide(SafeHeaders.layer(options)))

/** The whole service as routes, and the core beneath them for whoever sets it up. */
export const sallyport = (options: Parameters<typeof routes>[0]) =>
  routes(options).pipe(Layer.provideMerge(core(options)))
