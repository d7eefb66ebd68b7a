import { Layer } from "effect"
import { ApiKeys } from "#core/access/ApiKeys"
import { ConsoleSessions } from "#core/access/ConsoleSessions"
import { IdempotentRequests } from "#core/access/IdempotentRequests"
import { AccountDeletions } from "#core/account/AccountDeletions"
import { AccountExports } from "#core/account/AccountExports"
import { AccountPasskeys } from "#core/account/AccountPasskeys"
import { AccountProofs } from "#core/account/AccountProofs"
import { AccountSettings } from "#core/account/AccountSettings"
import { RecoveryCodeSets } from "#core/account/RecoveryCodeSets"
import { SignInMethods } from "#core/account/SignInMethods"
import { Apps } from "#core/apps/Apps"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import { OAuthClients } from "#core/apps/OAuthClients"
import { RelyingParties } from "#core/apps/RelyingParties"
import { Credentials } from "#core/credentials/Credentials"
import { PasskeyAssertions } from "#core/credentials/PasskeyAssertions"
import { PasskeyEnrolments } from "#core/credentials/PasskeyEnrolments"
import { EventNames } from "#core/events/EventNames"
import { RealmStatistics } from "#core/events/RealmStatistics"
import { AuthorizationUrls } from "#core/external/AuthorizationUrls"
import { AuthProviders } from "#core/external/AuthProviders"
import { ExternalLogins } from "#core/external/ExternalLogins"
import { ProviderLinks } from "#core/external/ProviderLinks"
import { ProviderTests } from "#core/external/ProviderTests"
import { AppHooks } from "#core/hooks/AppHooks"
import { Deliveries } from "#core/hooks/Deliveries"
import { DeliveryMetrics } from "#core/hooks/DeliveryMetrics"
import { MailPreviews } from "#core/hooks/MailPreviews"
import { Notifications } from "#core/hooks/Notifications"
import { Pings } from "#core/hooks/Pings"
import { EmailCodeFlow } from "#core/hosted/EmailCodeFlow"
import { PasskeyLoginFlow } from "#core/hosted/PasskeyLoginFlow"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { Signups } from "#core/hosted/Signups"
import { SocialLoginFlow } from "#core/hosted/SocialLoginFlow"
import { StepUps } from "#core/hosted/StepUps"
import { Exports } from "#core/imports/Exports"
import { Imports } from "#core/imports/Imports"
import { Acceptance } from "#core/invitations/Acceptance"
import { InvitationFlow } from "#core/invitations/InvitationFlow"
import { Invitations } from "#core/invitations/Invitations"
import { MemberInvites } from "#core/invitations/MemberInvites"
import { Teams } from "#core/invitations/Teams"
import { JwtKeys } from "#core/keys/JwtKeys"
import { LoginTokenVerifier } from "#core/keys/LoginTokenVerifier"
import { CodeLogins } from "#core/login/CodeLogins"
import { EmailCodes } from "#core/login/EmailCodes"
import { EmailConfirmations } from "#core/login/EmailConfirmations"
import { EmailVerifications } from "#core/login/EmailVerifications"
import { Enrolments } from "#core/login/Enrolments"
import { KeyLogins } from "#core/login/KeyLogins"
import { LoginMetrics } from "#core/login/LoginMetrics"
import { MfaLogins } from "#core/login/MfaLogins"
import { OperatorMails } from "#core/login/OperatorMails"
import { PasskeyLogins } from "#core/login/PasskeyLogins"
import { PasswordLogins } from "#core/login/PasswordLogins"
import { PasswordResets } from "#core/login/PasswordResets"
import { PasswordUpdates } from "#core/login/PasswordUpdates"
import { SelfServiceMails } from "#core/login/SelfServiceMails"
import { DatabaseOutage } from "#core/nodes/DatabaseOutage"
import { Health } from "#core/nodes/Health"
import { NodeClock } from "#core/nodes/NodeClock"
import { ReadReplica } from "#core/nodes/ReadReplica"
import { Authorization } from "#core/oauth/Authorization"
import { BackchannelLogouts } from "#core/oauth/BackchannelLogouts"
import { ClientDocuments } from "#core/oauth/ClientDocuments"
import { ClientRegistrations } from "#core/oauth/ClientRegistrations"
import { IdTokenHints } from "#core/oauth/IdTokenHints"
import { OAuthConsents } from "#core/oauth/OAuthConsents"
import { OAuthGrants } from "#core/oauth/OAuthGrants"
import { PublishedJson } from "#core/oauth/PublishedJson"
import { ConsoleSettings } from "#core/operators/ConsoleSettings"
import { Operators } from "#core/operators/Operators"
import { Memberships } from "#core/orgs/Memberships"
import { OrgDomains } from "#core/orgs/OrgDomains"
import { Orgs } from "#core/orgs/Orgs"
import { SignupTokens } from "#core/provisioning/SignupTokens"
import { TrustedDevices } from "#core/provisioning/TrustedDevices"
import { Realms } from "#core/realms/Realms"
import { SystemRealm } from "#core/realms/SystemRealm"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { LoginTokens } from "#core/sessions/LoginTokens"
import { OwnSessions } from "#core/sessions/OwnSessions"
import { SessionChecks } from "#core/sessions/SessionChecks"
import { Sessions } from "#core/sessions/Sessions"
import { EncryptedColumns } from "#core/upkeep/EncryptedColumns"
import { EventRetention } from "#core/upkeep/EventRetention"
import { ListSummaries } from "#core/users/ListSummaries"
import { UserBlocks } from "#core/users/UserBlocks"
import { Users } from "#core/users/Users"
import { UserUpdates } from "#core/users/UserUpdates"
import type { Options } from "../Options.ts"
import { oauthOperations } from "./OAuth.ts"

/** The operations of core, which surfaces and actors call. Each group may use the groups below it. */
export const operations = (options: Options) =>
  Layer.mergeAll(
    Layer.mergeAll(AccountDeletions.layer, AccountExports.layer, AccountPasskeys.layer, Authorization.layer).pipe(
      Layer.provideMerge(Layer.mergeAll(AccountSettings.layer, IdTokenHints.layer, StepUps.layer)),
      Layer.provideMerge(AccountProofs.layer),
      Layer.provideMerge(SignInMethods.layer)
    ),
    AppHooks.layer,
    Layer.mergeAll(Apps.layer, ClientDocuments.layer, ClientRegistrations.layer, ConsoleSessions.layer(options)).pipe(
      Layer.provide(PublishedJson.layer),
      Layer.provideMerge(Layer.mergeAll(ApiKeys.layer, ConnectedApps.layer, OAuthClients.layer))
    ),
    oauthOperations,
    EmailConfirmations.layer.pipe(Layer.provideMerge(SelfServiceMails.layer)),
    Exports.layer,
    Health.layer(options),
    IdempotentRequests.layer,
    Imports.layer,
    InvitationFlow.layer,
    JwtKeys.layer,
    KeyLogins.layer,
    MemberInvites.layer,
    Teams.layer,
    Notifications.layer,
    OrgDomains.layer,
    Layer.mergeAll(ConsoleSettings.layer(options), Operators.layer).pipe(
      Layer.provide(ApiKeys.layer),
      Layer.provideMerge(SystemRealm.layer)
    ),
    Orgs.layer,
    PasskeyLoginFlow.layer.pipe(Layer.provideMerge(PasskeyLogins.layer)),
    OperatorMails.layer,
    PasswordUpdates.layer,
    Pings.layer.pipe(Layer.provideMerge(MailPreviews.layer)),
    ProviderTests.layer,
    Realms.layer(options),
    EventNames.layer,
    RealmStatistics.layer(options),
    RecoveryCodeSets.layer,
    Signups.layer,
    Layer.mergeAll(ProviderLinks.layer, SocialLoginFlow.layer).pipe(
      Layer.provideMerge(Layer.mergeAll(AuthorizationUrls.layer, ExternalLogins.layer))
    ),
    TrustedDevices.layer,
    UserBlocks.layer,
    UserUpdates.layer
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Acceptance.layer,
        BrowserSessions.layer,
        Credentials.layer,
        EmailCodeFlow.layer.pipe(Layer.provideMerge(PasswordLoginFlow.layer)),
        EmailVerifications.layer,
        Invitations.layer,
        LoginTokens.layer,
        OwnSessions.layer,
        PasswordResets.layer
      )
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        CodeLogins.layer.pipe(Layer.provideMerge(Layer.mergeAll(EmailCodes.layer, MfaLogins.layer))),
        PasswordLogins.layer,
        Sessions.layer
      )
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        Enrolments.layer.pipe(Layer.provideMerge(PasskeyEnrolments.layer)),
        PasskeyAssertions.layer,
        SessionChecks.layer
      )
    ),
    Layer.provideMerge(Layer.mergeAll(AuthProviders.layer, Users.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        Deliveries.layer,
        DeliveryMetrics.layer,
        EncryptedColumns.layer,
        NodeClock.layer,
        EventRetention.layer(options),
        LoginMetrics.layer,
        ListSummaries.layer,
        Memberships.layer,
        BackchannelLogouts.layer,
        OAuthConsents.layer,
        OAuthGrants.layer,
        ReadReplica.layer,
        RelyingParties.layer,
        SignupTokens.layer,
        LoginTokenVerifier.layer
      )
    ),
    Layer.provideMerge(DatabaseOutage.layer)
  )
