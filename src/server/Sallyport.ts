import { Layer } from "effect"
import type { Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { Actors } from "#actors/Actors"
import { ActorStates } from "#core/ActorStates"
import { ApiKeys } from "#core/access/ApiKeys"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import { LoginDomains } from "#core/apps/LoginDomains"
import { CommonPasswords } from "#core/CommonPasswords"
import { ApiKeyDigests } from "#core/credentials/ApiKeyDigests"
import { Credentials } from "#core/credentials/Credentials"
import { NewCredentials } from "#core/credentials/NewCredentials"
import { NewPasswords } from "#core/credentials/NewPasswords"
import { Entropy } from "#core/Entropy"
import { EventRetention } from "#core/events/EventRetention"
import { Journal } from "#core/events/Journal"
import { FreshIds } from "#core/FreshIds"
import { Health } from "#core/Health"
import { AppHooks } from "#core/hooks/AppHooks"
import { DefaultHooks } from "#core/hooks/DefaultHooks"
import { Deliveries } from "#core/hooks/Deliveries"
import { HookMails, type MailFrom } from "#core/hooks/HookMails"
import { Notifications } from "#core/hooks/Notifications"
import { Pings } from "#core/hooks/Pings"
import { Webhooks } from "#core/hooks/Webhooks"
import { IdempotentRequests } from "#core/idempotency/IdempotentRequests"
import { Acceptance } from "#core/invitations/Acceptance"
import { Invitations } from "#core/invitations/Invitations"
import { Inviting } from "#core/invitations/Inviting"
import { Landing } from "#core/invitations/Landing"
import { JwtKeys } from "#core/keys/JwtKeys"
import { KeyRing } from "#core/keys/KeyRing"
import { TokenVerifier } from "#core/keys/TokenVerifier"
import { Attempts } from "#core/login/Attempts"
import { BrowserSessions } from "#core/login/BrowserSessions"
import { KnownBrowsers } from "#core/login/KnownBrowsers"
import { HostedLogins } from "#core/login/HostedLogins"
import { LoginTokens } from "#core/login/LoginTokens"
import { MailboxProofs } from "#core/login/MailboxProofs"
import { MailRequests } from "#core/login/MailRequests"
import { Signups } from "#core/signup/Signups"
import { AuthorizationUrls } from "#core/login/AuthorizationUrls"
import { BrowserLogins } from "#core/login/BrowserLogins"
import { CodeExchange } from "#core/login/CodeExchange"
import { AccountTurns } from "#core/login/AccountTurns"
import { CodeLogins } from "#core/login/CodeLogins"
import { Codes } from "#core/login/Codes"
import { EmailConfirmations } from "#core/login/EmailConfirmations"
import { EmailVerifications } from "#core/login/EmailVerifications"
import { ExternalLogins } from "#core/login/ExternalLogins"
import { ExternalUsers } from "#core/login/ExternalUsers"
import { Grants } from "#core/login/Grants"
import { KeyLogins } from "#core/login/KeyLogins"
import { OAuthStates } from "#core/login/OAuthStates"
import { OneTimeTokens } from "#core/login/OneTimeTokens"
import { PasswordChecks } from "#core/login/PasswordChecks"
import { PasswordLogins } from "#core/login/PasswordLogins"
import { PasswordResets } from "#core/login/PasswordResets"
import { PasswordUpdates } from "#core/login/PasswordUpdates"
import { ProviderProfiles } from "#core/login/ProviderProfiles"
import { ClientAddress } from "#core/limits/ClientAddress"
import { Quotas } from "#core/limits/Quotas"
import { MailLinks } from "#core/mail/MailLinks"
import { MailSenders, type SenderDomains } from "#core/mail/MailSenders"
import { Joining } from "#core/memberships/Joining"
import { Memberships } from "#core/memberships/Memberships"
import { Founding } from "#core/orgs/Founding"
import { NewOrgs } from "#core/orgs/NewOrgs"
import { Orgs } from "#core/orgs/Orgs"
import { Passwords } from "#core/Passwords"
import { AuthProviders } from "#core/realms/AuthProviders"
import { Realms } from "#core/realms/Realms"
import { SealedColumns } from "#core/SealedColumns"
import { Secrets } from "#core/Secrets"
import { Issuer } from "#core/sessions/Issuer"
import { NewSessions } from "#core/sessions/NewSessions"
import { Sessions } from "#core/sessions/Sessions"
import { Signer } from "#core/Signer"
import { SignupTokens } from "#core/signup/SignupTokens"
import { Targets } from "#core/Targets"
import { SlowSql, Transaction, TransactionsAtOnce } from "#core/Transaction"
import { WakeUps } from "#core/WakeUps"
import { NewUsers } from "#core/users/NewUsers"
import { OwnAccount } from "#core/users/OwnAccount"
import { Users } from "#core/users/Users"
import { UserUpdates } from "#core/users/UserUpdates"
import { AppPageRoutes } from "#hosted/AppPages"
import type { HashCost } from "#domain/PasswordHash"
import { HostedApiRoutes } from "#hosted/api/Routes"
import { HostedRoutes } from "#hosted/Routes"
import { SocialRoutes } from "#hosted/Social"
import type { Limited } from "#domain/Limit"
import { HeaderNames } from "#http/Authentication"
import { HomeRoute } from "#http/home/HomeRoute"
import { OperatorRoutes, Routes } from "#http/Routes"
import { SafeHeaders } from "#http/SafeHeaders"
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
const beneath = (options: Options, quotas: ReturnType<typeof Quotas.layer>) =>
  Layer.mergeAll(
    ExternalUsers.layer.pipe(Layer.provideMerge(NewUsers.layer)),
    Founding.layer.pipe(Layer.provideMerge(Layer.mergeAll(NewOrgs.layer, Joining.layer))),
    Grants.layer,
    Codes.layer,
    PasswordChecks.layer,
    OAuthStates.layer,
    CodeExchange.layer,
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
        Attempts.layer.pipe(
          Layer.provideMerge(Layer.mergeAll(AccountTurns.layer, ApiKeyDigests.layer, KnownBrowsers.layer))
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
    Layer.provideMerge(quotas),
    Layer.provideMerge(Repositories),
    Layer.provideMerge(
      Layer.mergeAll(Transaction.layer, Signer.layer, Secrets.layer(options.secrets), Targets.layer(options))
    ),
    Layer.provideMerge(Clients)
  )

const coreWith = (options: Options, quotas: ReturnType<typeof Quotas.layer>) =>
  Layer.mergeAll(
    Actors.layer,
    ApiKeys.layer,
    AppHooks.layer,
    BrowserLogins.layer.pipe(Layer.provideMerge(Layer.mergeAll(AuthorizationUrls.layer, ExternalLogins.layer))),
    ConnectedApps.layer,
    Health.layer,
    IdempotentRequests.layer,
    Journal.layer,
    JwtKeys.layer,
    KeyLogins.layer,
    KeyRing.layer,
    Landing.layer,
    EmailConfirmations.layer.pipe(Layer.provideMerge(MailRequests.layer)),
    Notifications.layer,
    Inviting.layer,
    OwnAccount.layer,
    Orgs.layer,
    PasswordUpdates.layer,
    Pings.layer,
    quotas,
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
        HostedLogins.layer,
        Invitations.layer,
        PasswordResets.layer
      )
    ),
    Layer.provideMerge(Layer.mergeAll(CodeLogins.layer, PasswordLogins.layer, Sessions.layer)),
    Layer.provideMerge(Layer.mergeAll(AuthProviders.layer, Users.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        Memberships.layer,
        EventRetention.layer(options),
        SealedColumns.layer,
        SignupTokens.layer,
        TokenVerifier.layer,
        Deliveries.layer,
        WakeUps.layer
      )
    ),
    Layer.provide(beneath(options, quotas)),
    Layer.provideMerge(
      Layer.mergeAll(
        ActorStates.layer,
        FreshIds.layer,
        Passwords.layer({ cost: options.hashCost }),
        LoginDomains.layer(options),
        ClientAddress.layer(options),
        Issuer.layer({ publicUrl: options.publicUrl, configured: options.issuer })
      )
    ),
    Layer.provide(Entropy.layer)
  )

/** Everything the service does, without HTTP: the operations alone, so that a request carries few services with it. */
export const core = (options: Options) => coreWith(options, Quotas.layer(options))

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
