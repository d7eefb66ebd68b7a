// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

export type { ApiKey } from "./types/ApiKey.ts"
export type { Appearance } from "./types/Appearance.ts"
export type { AppearanceInput } from "./types/AppearanceInput.ts"
export type { AuthorizationUrl } from "./types/AuthorizationUrl.ts"
export type { AuthorizationUrlV1 } from "./types/AuthorizationUrlV1.ts"
export type { AuthProvider } from "./types/AuthProvider.ts"
export type { AuthProviderInput } from "./types/AuthProviderInput.ts"
export type { Brand } from "./types/Brand.ts"
export type { BrandAppearance } from "./types/BrandAppearance.ts"
export type { Clock } from "./types/Clock.ts"
export type { ConnectedApp } from "./types/ConnectedApp.ts"
export type { ConnectedAppInput } from "./types/ConnectedAppInput.ts"
export type { ConnectedAppItem } from "./types/ConnectedAppItem.ts"
export type { Consent } from "./types/Consent.ts"
export type { ConsentV1 } from "./types/ConsentV1.ts"
export type { ConsoleSettings } from "./types/ConsoleSettings.ts"
export type { Credential } from "./types/Credential.ts"
export type { CredentialItem } from "./types/CredentialItem.ts"
export type { Custom } from "./types/Custom.ts"
export type { Discovery } from "./types/Discovery.ts"
export type { Dns } from "./types/Dns.ts"
export type { Domain } from "./types/Domain.ts"
export type { DomainOfEvent } from "./types/DomainOfEvent.ts"
export type { DomainProblem } from "./types/DomainProblem.ts"
export type { EndedSessions } from "./types/EndedSessions.ts"
export type { ErrorAnswer } from "./types/ErrorAnswer.ts"
export type { ErrorCode } from "./types/ErrorCode.ts"
export type { Event } from "./types/Event.ts"
export type { EventActor } from "./types/EventActor.ts"
export type { EventItem } from "./types/EventItem.ts"
export type { EventType } from "./types/EventType.ts"
export type { EventWithNotifications } from "./types/EventWithNotifications.ts"
export type { ExportEnd } from "./types/ExportEnd.ts"
export type { ExportStart } from "./types/ExportStart.ts"
export type { ExternalRefusal } from "./types/ExternalRefusal.ts"
export type { FailingHook } from "./types/FailingHook.ts"
export type { Faults } from "./types/Faults.ts"
export type { Grant } from "./types/Grant.ts"
export type { GrantV1 } from "./types/GrantV1.ts"
export type { Hook } from "./types/Hook.ts"
export type { HookInput } from "./types/HookInput.ts"
export type { HookItem } from "./types/HookItem.ts"
export type { HostedLoginFailure } from "./types/HostedLoginFailure.ts"
export type { ImportCredential } from "./types/ImportCredential.ts"
export type { ImportMembership } from "./types/ImportMembership.ts"
export type { ImportOrg } from "./types/ImportOrg.ts"
export type { ImportOutcome } from "./types/ImportOutcome.ts"
export type { ImportSummary } from "./types/ImportSummary.ts"
export type { Invitation } from "./types/Invitation.ts"
export type { Jwks } from "./types/Jwks.ts"
export type { JwtKey } from "./types/JwtKey.ts"
export type { Limits } from "./types/Limits.ts"
export type { LoginRetry } from "./types/LoginRetry.ts"
export type { LoginsByMethod } from "./types/LoginsByMethod.ts"
export type { LoginV1 } from "./types/LoginV1.ts"
export type { MailHookInput } from "./types/MailHookInput.ts"
export type { MailPreview } from "./types/MailPreview.ts"
export type { Membership } from "./types/Membership.ts"
export type { MembershipV1 } from "./types/MembershipV1.ts"
export type { Message } from "./types/Message.ts"
export type { NewCredential } from "./types/NewCredential.ts"
export type { NewHook } from "./types/NewHook.ts"
export type { NewHookV1 } from "./types/NewHookV1.ts"
export type { NewOrg } from "./types/NewOrg.ts"
export type { NewOrgV1 } from "./types/NewOrgV1.ts"
export type { NewUser } from "./types/NewUser.ts"
export type { NewUserV1 } from "./types/NewUserV1.ts"
export type { Notification } from "./types/Notification.ts"
export type { NotificationItem } from "./types/NotificationItem.ts"
export type { NotificationWithRequest } from "./types/NotificationWithRequest.ts"
export type { OAuth2AuthProvider } from "./types/OAuth2AuthProvider.ts"
export type { Operator } from "./types/Operator.ts"
export type { OperatorOfEvent } from "./types/OperatorOfEvent.ts"
export type { Org } from "./types/Org.ts"
export type { OrgInput } from "./types/OrgInput.ts"
export type { OrgInputV1 } from "./types/OrgInputV1.ts"
export type { OrgItem } from "./types/OrgItem.ts"
export type { OrgItemV1 } from "./types/OrgItemV1.ts"
export type { OrgUser } from "./types/OrgUser.ts"
export type { OrgUserV1 } from "./types/OrgUserV1.ts"
export type { OrgV1 } from "./types/OrgV1.ts"
export type { PasskeyCreationChallenge } from "./types/PasskeyCreationChallenge.ts"
export type { PasskeyCreationOptions } from "./types/PasskeyCreationOptions.ts"
export type { PasskeyCreationResponse } from "./types/PasskeyCreationResponse.ts"
export type { PasskeyLoginChallenge } from "./types/PasskeyLoginChallenge.ts"
export type { PasskeyLoginResponse } from "./types/PasskeyLoginResponse.ts"
export type { PasskeyRequestOptions } from "./types/PasskeyRequestOptions.ts"
export type { PasswordTokenV1 } from "./types/PasswordTokenV1.ts"
export type { Ping } from "./types/Ping.ts"
export type { ProviderCheck } from "./types/ProviderCheck.ts"
export type { ProviderTest } from "./types/ProviderTest.ts"
export type { Realm } from "./types/Realm.ts"
export type { RealmInput } from "./types/RealmInput.ts"
export type { RealmItem } from "./types/RealmItem.ts"
export type { RealmRole } from "./types/RealmRole.ts"
export type { RealmTotals } from "./types/RealmTotals.ts"
export type { RealmV1 } from "./types/RealmV1.ts"
export type { RefusedRow } from "./types/RefusedRow.ts"
export type { Replay } from "./types/Replay.ts"
export type { RequestAttributes } from "./types/RequestAttributes.ts"
export type { RequestInput } from "./types/RequestInput.ts"
export type { ResourceLink } from "./types/ResourceLink.ts"
export type { SentMail } from "./types/SentMail.ts"
export type { Session } from "./types/Session.ts"
export type { SessionItem } from "./types/SessionItem.ts"
export type { SessionItemV1 } from "./types/SessionItemV1.ts"
export type { SessionUser } from "./types/SessionUser.ts"
export type { SessionUserV1 } from "./types/SessionUserV1.ts"
export type { SessionV1 } from "./types/SessionV1.ts"
export type { Statistics } from "./types/Statistics.ts"
export type { StatisticsInterval } from "./types/StatisticsInterval.ts"
export type { Token } from "./types/Token.ts"
export type { TrustedDevice } from "./types/TrustedDevice.ts"
export type { TrustedDevices } from "./types/TrustedDevices.ts"
export type { User } from "./types/User.ts"
export type { UserBlock } from "./types/UserBlock.ts"
export type { UserBlocks } from "./types/UserBlocks.ts"
export type { UserInput } from "./types/UserInput.ts"
export type { UserInputV1 } from "./types/UserInputV1.ts"
export type { UserItem } from "./types/UserItem.ts"
export type { UserItemV1 } from "./types/UserItemV1.ts"
export type { UserRow } from "./types/UserRow.ts"
export type { UserToken } from "./types/UserToken.ts"
export type { UserV1 } from "./types/UserV1.ts"
export type { WebhookRequest } from "./types/WebhookRequest.ts"
export type { CreateApiKeyV1, ListApiKeysV1 } from "./v1/ApiKeysV1.ts"
export type { CreateAuthProviderV1, ListAuthProvidersV1, UpdateAuthProviderV1 } from "./v1/AuthProvidersV1.ts"
export type { ListConsentsV1 } from "./v1/ConsentsV1.ts"
export type { CreateCredentialV1, UpdateCredentialV1, VerifyCredentialV1 } from "./v1/CredentialsV1.ts"
export type { ListEventsV1 } from "./v1/EventsV1.ts"
export type {
  AuthenticateExternallyV1,
  AuthenticateWithProviderTokenV1,
  GetAuthorizationUrlV1,
  ListAuthorizationUrlsV1
} from "./v1/ExternalAuthenticationV1.ts"
export type { ListGrantsV1 } from "./v1/GrantsV1.ts"
export type {
  CreateHookV1,
  ListHooksV1,
  PingHookV1,
  ReplayHookV1,
  RotateHookSecretV1,
  UpdateHookV1
} from "./v1/HooksV1.ts"
export type {
  HostedCheckSession,
  HostedCheckSessionResult,
  HostedForgotPassword,
  HostedForgotPasswordResult,
  HostedLogin,
  HostedLoginResult,
  HostedLogout,
  HostedPasskeyLogin,
  HostedPasskeyLoginResult,
  HostedPasskeyOptions,
  HostedPasskeyOptionsResult,
  HostedResendEmailToken,
  HostedResendEmailTokenResult,
  HostedResetPassword,
  HostedResetPasswordResult,
  HostedSendCode,
  HostedSendCodeResult,
  HostedSignup,
  HostedSignupResult,
  HostedStartSocialLogin,
  HostedUpdatePassword,
  HostedUpdatePasswordResult,
  HostedVerifyLogin,
  HostedVerifyLoginResult
} from "./v1/HostedV1Types.ts"
export type { CreateJwtKeyV1, DeleteJwtKeyV1, ListJwtKeysV1 } from "./v1/JwtKeysV1.ts"
export type {
  CreateLoginPolicieV1,
  ListLoginPoliciesV1,
  RotateClientSecretV1,
  UpdateLoginPolicieV1
} from "./v1/LoginPoliciesV1.ts"
export type {
  AuthenticatePasskeyV1,
  AuthenticateV1,
  AuthenticateWithCodeV1,
  AuthenticateWithKeyV1,
  GeneratePasswordTokenV1,
  PasskeyLoginOptionsV1,
  PasskeyOptionsV1,
  RequestEmailVerificationV1,
  ResetPasswordWithTokenV1,
  SendCodeV1,
  UpdatePasswordV1,
  VerifyEmailV1
} from "./v1/LoginsV1Types.ts"
export type { CreateMembershipV1, ListMembershipsV1, UpdateMembershipV1 } from "./v1/MembershipsV1.ts"
export type { CreateOrgV1, GetOrgV1, ListOrgsV1, UpdateOrgV1 } from "./v1/OrgsV1.ts"
export type { CreateRealmV1, ListRealmsV1, ResetRealmV1, UpdateRealmV1 } from "./v1/RealmsV1.ts"
export type { CreateSessionV1, GetSessionV1, ListSessionsV1 } from "./v1/SessionsV1.ts"
export type { CreateUserV1, GetUserV1, ListUsersV1, UpdateUserV1 } from "./v1/UsersV1.ts"
export type { CreateUserTokenV1 } from "./v1/UserTokensV1.ts"
export type { CreateApiKey, ListApiKeys } from "./v2/ApiKeys.ts"
export type { CreateAuthProvider, ListAuthProviders, TestAuthProvider, UpdateAuthProvider } from "./v2/AuthProviders.ts"
export type { CreateClientApp, ListClientApps, RotateClientSecret, UpdateClientApp } from "./v2/ClientApps.ts"
export type { ListConsents } from "./v2/Consents.ts"
export type { UpdateConsole } from "./v2/Console.ts"
export type { CreateCredential, UpdateCredential, VerifyCredential } from "./v2/Credentials.ts"
export type { CreateDomain, ListDomains, VerifyDomain } from "./v2/Domains.ts"
export type { CancelNotification, GetEvent, ListEvents, RetryNotification } from "./v2/Events.ts"
export type { ExportUsers } from "./v2/Exports.ts"
export type {
  AuthenticateExternally,
  AuthenticateWithProviderToken,
  GetAuthorizationUrl,
  ListAuthorizationUrls
} from "./v2/ExternalAuthentication.ts"
export type { ListGrants } from "./v2/Grants.ts"
export type {
  CreateHook,
  ListHooks,
  PingHook,
  PreviewHook,
  ReplayHook,
  RotateHookSecret,
  UpdateHook
} from "./v2/Hooks.ts"
export type { ImportUsers } from "./v2/Imports.ts"
export type { CreateInvitation, InviteInvitation, ListInvitations, UpdateInvitation } from "./v2/Invitations.ts"
export type { CreateJwtKey, DeleteJwtKey, ListJwtKeys } from "./v2/JwtKeys.ts"
export type {
  Authenticate,
  AuthenticatePasskey,
  AuthenticateWithToken,
  GeneratePasswordToken,
  PasskeyLoginOptions,
  PasskeyOptions,
  RequestEmailVerification,
  ResetPasswordWithToken,
  SendCode,
  SendEmailVerification,
  SendPasswordReset,
  UpdatePassword,
  UpdateProfile,
  VerifyEmail
} from "./v2/LoginsTypes.ts"
export type { CreateMembership, ListMemberships, UpdateMembership } from "./v2/Memberships.ts"
export type { ListNotifications, ListOfHook } from "./v2/Notifications.ts"
export type {
  CreateOperator,
  DeleteOperator,
  InviteOperator,
  ListCreatedKeys,
  ListOperators,
  UpdateOperator
} from "./v2/Operators.ts"
export type { CreateOrg, DeleteOrg, GetOrg, ListOrgs, UpdateOrg } from "./v2/Orgs.ts"
export type { CreateRealm, GetRealm, ListRealms, ResetRealm, StatisticsRealm, UpdateRealm } from "./v2/Realms.ts"
export type { CreateSession, GetSession, ListSessions } from "./v2/Sessions.ts"
export type { AdvanceClock } from "./v2/Test.ts"
export type { SetTestDn } from "./v2/TestDns.ts"
export type { FailTestFault } from "./v2/TestFaults.ts"
export type { ClearTestMessages, ListTestMessages } from "./v2/TestMessages.ts"
export type { AcceptInvitation, CreateUser, EndSessions, GetUser, ListUsers, UpdateUser } from "./v2/Users.ts"
