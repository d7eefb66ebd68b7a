import { Layer } from "effect"
import type { CleaningThread } from "#core/appearance/CleaningThread"
import { ContentCleaner } from "#core/appearance/ContentCleaner"
import { CachedClients } from "#core/apps/CachedClients"
import { RelyingParties } from "#core/apps/RelyingParties"
import { RealmChanges } from "#core/caches/RealmChanges"
import { CodeVerifier } from "#core/credentials/CodeVerifier"
import { PasskeyResponses } from "#core/credentials/PasskeyResponses"
import { PasswordChecks } from "#core/credentials/PasswordChecks"
import { SecondFactors } from "#core/credentials/SecondFactors"
import { Journal } from "#core/events/Journal"
import { AccountLinking } from "#core/external/AccountLinking"
import { AuthorizationCodeExchange } from "#core/external/AuthorizationCodeExchange"
import { OAuthStates } from "#core/external/OAuthStates"
import { ProviderPresets } from "#core/external/ProviderPresets"
import { HookMails } from "#core/hooks/HookMails"
import { MailContents } from "#core/hooks/MailContents"
import { MailLinks } from "#core/hooks/MailLinks"
import { Webhooks } from "#core/hooks/Webhooks"
import { BoundedJwts } from "#core/keys/BoundedJwts"
import { KeyRing } from "#core/keys/KeyRing"
import { SignedJwts } from "#core/keys/SignedJwts"
import { AccountLocks } from "#core/limits/AccountLocks"
import { KnownBrowsers } from "#core/limits/KnownBrowsers"
import { LoginAttempts } from "#core/limits/LoginAttempts"
import type { RateLimits } from "#core/limits/RateLimits"
import { RejectedLogins } from "#core/limits/RejectedLogins"
import { LoginCompletion } from "#core/login/LoginCompletion"
import { MailboxProofs } from "#core/login/MailboxProofs"
import { MailOutage } from "#core/mail/MailOutage"
import type { MailRenderer } from "#core/mail/MailRenderer"
import { MailSenders } from "#core/mail/MailSenders"
import { NodeClock } from "#core/nodes/NodeClock"
import { Nodes } from "#core/nodes/Nodes"
import { BreachedPasswords } from "#core/passwords/BreachedPasswords"
import { CommonPasswords } from "#core/passwords/CommonPasswords"
import { AccessEnds } from "#core/provisioning/AccessEnds"
import { NewCredentials } from "#core/provisioning/NewCredentials"
import { NewMemberships } from "#core/provisioning/NewMemberships"
import { NewOrgs } from "#core/provisioning/NewOrgs"
import { NewPasswords } from "#core/provisioning/NewPasswords"
import { NewUsers } from "#core/provisioning/NewUsers"
import { OrgSignup } from "#core/provisioning/OrgSignup"
import { TrustedDevices } from "#core/provisioning/TrustedDevices"
import { NewSessions } from "#core/sessions/NewSessions"
import { ApiKeyDigests } from "#core/tokens/ApiKeyDigests"
import { MailedCodes } from "#core/tokens/MailedCodes"
import { OneTimeTokens } from "#core/tokens/OneTimeTokens"
import { PasskeyChallenges } from "#core/tokens/PasskeyChallenges"
import { RecoveryCodes } from "#core/tokens/RecoveryCodes"
import { RealmSizes } from "#core/upkeep/RealmSizes"
import { layer as mailThread } from "../MailThread.ts"
import type { Options } from "../Options.ts"

/**
 * The internal services of core, which no surface calls. `rateLimits`: shared with the operations. `renderer`: used
 * instead of the service's own thread.
 */
export const coreInternals = (
  options: Options,
  rateLimits: ReturnType<typeof RateLimits.layer>,
  renderer: Layer.Layer<MailRenderer | CleaningThread> = mailThread()
) =>
  Layer.mergeAll(
    AccountLinking.layer.pipe(Layer.provideMerge(NewUsers.layer)),
    AuthorizationCodeExchange.layer,
    CachedClients.layer,
    CodeVerifier.layer,
    HookMails.layer(options),
    LoginCompletion.layer.pipe(Layer.provideMerge(SecondFactors.layer), Layer.provideMerge(RelyingParties.layer)),
    OAuthStates.layer,
    OrgSignup.layer.pipe(Layer.provideMerge(Layer.mergeAll(NewOrgs.layer, NewMemberships.layer))),
    PasskeyResponses.layer,
    PasskeyChallenges.layer,
    PasswordChecks.layer,
    ProviderPresets.layer
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(MailContents.layer(options), NewSessions.layer)),
    Layer.provideMerge(RealmSizes.layer),
    Layer.provideMerge(Layer.mergeAll(BoundedJwts.layer, MailboxProofs.layer, NewCredentials.layer)),
    Layer.provideMerge(Layer.mergeAll(NewPasswords.layer, RecoveryCodes.layer)),
    Layer.provideMerge(AccessEnds.layer.pipe(Layer.provideMerge(TrustedDevices.layer))),
    Layer.provideMerge(
      Layer.mergeAll(
        Journal.layer.pipe(Layer.provideMerge(NodeClock.layer)),
        Nodes.layer,
        SignedJwts.layer.pipe(Layer.provideMerge(KeyRing.layer))
      )
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        BreachedPasswords.layer(options),
        CommonPasswords.layer,
        LoginAttempts.layer.pipe(
          Layer.provideMerge(
            Layer.mergeAll(AccountLocks.layer, ApiKeyDigests.layer, KnownBrowsers.layer, RejectedLogins.layer)
          )
        ),
        MailLinks.layer(options.publicUrl),
        MailOutage.layer,
        MailSenders.layer(options),
        ContentCleaner.layer.pipe(Layer.provideMerge(renderer)),
        MailedCodes.layer.pipe(Layer.provideMerge(OneTimeTokens.layer)),
        Webhooks.layer
      )
    ),
    Layer.provideMerge(rateLimits),
    Layer.provideMerge(RealmChanges.layer)
  )
