import { type EventType, eventName, eventTypes } from "#domain/Event"
import { type InvitationType, invitationTypes } from "#domain/Invitation"

const invited: Readonly<Record<InvitationType, string>> = {
  org: "An invitation to an org",
  preverify: "An invitation that verifies the email of a sign-up",
  referral: "An invitation by another user",
  request: "A request for an invitation"
}

const happened = {
  accepted: ["was accepted", "`user_id` of the user who accepted"],
  created: ["was created", undefined],
  expired: ["expired or was deleted", undefined],
  invited: ["was sent, for the first time or again", "the invitation's `token`"],
  updated: ["was given other permissions or another expiry", undefined]
} as const

type Happening = keyof typeof happened

const happenings = ["accepted", "created", "expired", "invited", "updated"] as const satisfies ReadonlyArray<Happening>

const invitationText = (type: InvitationType, happening: Happening): string => {
  const [what, more] = happened[happening]
  const carried = ["`invitation_id`", "`org_id` if it names an org", ...(more === undefined ? [] : [more])]
  return `${invited[type]} ${what}. Carries ${carried.join(", ")}.`
}

/** The meaning of each event type, and its members in addition to the common ones. */
const texts: Readonly<Record<Exclude<EventType, `invitation.${string}`>, string>> = {
  "api_key.created": "An API key was created. Carries `api_key_id`; `realm_id` is null for a key for all realms.",
  "api_key.deleted": "An API key was deleted. Carries `api_key_id`; `realm_id` is null for a key for all realms.",
  "app_hook.created": "A hook was created. Carries the hook's ID.",
  "app_hook.deleted": "A hook was deleted. Carries the hook's ID.",
  "app_hook.updated": "A hook's settings were changed or its secret was rotated. Carries the hook's ID.",
  "auth_provider.created": "An auth provider was created, possibly with its realm. Carries `auth_provider_id`.",
  "auth_provider.deleted": "An auth provider was deleted. Carries `auth_provider_id`.",
  "auth_provider.updated": "An auth provider's settings were changed. Carries `auth_provider_id`.",
  "console.session.created":
    "An API key or an operator logged in to the console. Carries `api_key_id`, or `user_id` of the operator; `realm_id` is null for an operator or a key for all realms.",
  "console.session.deleted":
    "A session of the console was ended by its user. Carries `api_key_id`, or `user_id` of the operator; `realm_id` is null for an operator or a key for all realms.",
  "console.updated": "An owner changed the settings of the console. `realm_id` is null.",
  "domain.check_failed":
    "A check of an org's verified domain failed after it had succeeded. Carries `org_id` and `domain`, with the `problem`. Of missing records, the org loses the domain after 7 days.",
  "domain.created": "A domain was added to an org. Carries `org_id` and `domain`.",
  "domain.deleted": "A domain was removed from an org, or was deleted with it. Carries `org_id` and `domain`.",
  "domain.lost":
    "An org lost a verified domain: its record was missing for 7 days, or another org proved the domain after it was gone (`replaced`). Carries `org_id` and `domain`, with the `problem`.",
  "domain.recovered":
    "A check of an org's verified domain succeeded after it had failed. Carries `org_id` and `domain`.",
  "domain.verified": "An org proved a domain, and owns it. Carries `org_id` and `domain`.",
  "hook.disabled":
    "The service made a webhook inactive, because its destination returned 410 or failed for five days. Carries the hook's ID.",
  "login_policy.created": "A connected app was created. Carries the app's ID.",
  "login_policy.deleted": "A connected app was deleted. Carries the app's ID.",
  "login_policy.updated": "A connected app's settings were changed. Carries the app's ID.",
  "membership.created": "A user joined an org. Carries `membership_id`, `user_id`, and `org_id` if there is an org.",
  "membership.deleted":
    "A membership was deleted or expired, on its own or with its user or org. Carries `membership_id`, `user_id`, and `org_id` if there is an org.",
  "membership.updated":
    "A membership's permissions, expiry or attributes were changed. Carries `membership_id`, `user_id`, and `org_id` if there is an org.",
  "oauth.client.registered": "An OAuth client registered itself.",
  "oauth.client_secret.rotated": "An OAuth client got a new secret.",
  "oauth.code.reused": "An authorization code was used again, so the tokens of its grant were revoked.",
  "oauth.consent.granted": "A user consented to an OAuth client's request.",
  "oauth.consent.revoked": "A user's consent to an OAuth client was revoked.",
  "oauth.device.approved": "A user approved a device login.",
  "oauth.device.denied": "A user denied a device login.",
  "oauth.grant.created": "An OAuth client got its first tokens for a user.",
  "oauth.grant.revoked": "The tokens that an OAuth client had for a user were revoked.",
  "oauth.logout.failed": "An OAuth client could not be notified of a logout.",
  "oauth.refresh.reused": "A refresh token was used again, so the tokens of its grant were revoked.",
  "oauth.token.revoked": "An OAuth client revoked one of its tokens.",
  "operator.created": "An operator was invited. Carries `user_id` of the operator and `operator`; `realm_id` is null.",
  "operator.deleted": "An operator was removed. Carries `user_id` of the operator and `operator`; `realm_id` is null.",
  "operator.invited":
    "The invitation of an operator was emailed. Recorded in the system realm, which no request reads.",
  "operator.updated":
    "The role of an operator was changed. Carries `user_id` of the operator and `operator`; `realm_id` is null.",
  "org.created": "An org was created. Carries `org_id`.",
  "org.deleted": "An org was deleted. Carries `org_id`.",
  "org.updated": "An org was changed or closed. Carries `org_id`.",
  "realm.created": "A realm was created. Carries `realm_id`.",
  "realm.deleted": "A realm was deleted, with everything in it. Carries `realm_id`.",
  "realm.exported": "An export of the realm's users was started. Carries `realm_id`.",
  "realm.imported":
    "An import that changed users has ended, whether complete or not. Carries `realm_id`, and its counts in `import`. The event is missing if the import's process was killed.",
  "realm.importing":
    "An import made its first change to users; recorded once for each import that changes any. Carries `realm_id`.",
  "realm.reset":
    "A reset of the realm was requested, which deletes the kinds of resources in `reset`. Not shown in `/v1`. Carries `realm_id`.",
  "realm.updated": "A realm's settings were changed, or a JWT key was created, expired or deleted. Carries `realm_id`.",
  "session.deleted":
    "A session was ended before it expired. Not shown in `/v1`. Carries `session_id`, `user_id` and the `reason`.",
  "token.too_large":
    "Claims were omitted from a token that would have exceeded the realm's `jwt_max_bytes`. Its claim `ar.truncated` lists them. Recorded at most once an hour per user on each node. Carries `user_id` and, for a session's token, `session_id`.",
  "user.blocked":
    "A user was blocked for a while after too many wrong passwords (10) or codes (10 in 15 minutes). Carries `user_id`.",
  "user.created": "A user was created. Carries `user_id`.",
  "user.deleted": "A user was deleted. Carries `user_id`.",
  "user.deletion.canceled":
    "The scheduled deletion of a user's account was canceled: by the user, or with the API. Carries `user_id`.",
  "user.deletion.scheduled":
    "A user asked to delete their account, which will happen after the realm's `account_deletion_days`. Carries `user_id` and the token of the link that cancels it.",
  "user.device.trusted":
    "A user trusted a browser after a second factor, so that password logins in it skip the second factor for a time. Carries `user_id`.",
  "user.device.untrusted":
    "A user no longer trusts one or all of their browsers, because they ended the trust, their password or second factors changed, or their sessions were ended. Not recorded when the trust expires. Carries `user_id`.",
  "user.email.updating":
    "A user's new email is waiting for verification, or its verification was requested again. Carries `user_id` and the `token` that verifies the new address.",
  "user.email.verified": "A user's email was verified. Carries `user_id`.",
  "user.email.verifying":
    "Verification of a user's email was requested. Carries `user_id` and the `token` that verifies the email.",
  "user.email_code.requested":
    "A code that logs a user in or completes a login was requested and is sent by email. Carries `user_id` and the `token` of the link in the email.",
  "user.login.failed":
    "A login failed, for example because of a wrong password, code or passkey, or an inactive user. Carries `user_id` and the `reason`.",
  "user.login.initiated": "The first factor of a login was correct, and a second is required. Carries `user_id`.",
  "user.login.succeeded":
    "A user logged in; with an API key, only the first time each day (UTC). Carries `user_id`, and `session_id` if the session is stored.",
  "user.password.resetting": "A token for setting a new password was generated. Carries `user_id` and the `token`.",
  "user.password_token.consumed": "A password was reset with a token. Carries `user_id`.",
  "user.password_token.failed":
    "A password reset was attempted, or its link opened, with a token that was already used, has expired or belongs to another user. Carries `user_id` of the token's user.",
  "user.profile.updated": "A user changed their own profile. Carries `user_id`.",
  "user.recovery_code.used": "A recovery code was used instead of an authenticator app's code. Carries `user_id`.",
  "user.unblocked":
    "A user's blocks were ended early: by wrong passwords or codes, or by rate limits that count the user. Carries `user_id`.",
  "user.updated": "A user or one of their credentials was changed. Carries `user_id`."
}

const invitationTexts: ReadonlyArray<readonly [string, string]> = invitationTypes.flatMap((type) =>
  happenings.map((happening) => [`invitation.${type}.${happening}`, invitationText(type, happening)] as const)
)

const described = new Map<string, string>([...Object.entries(texts), ...invitationTexts])

/** The names of all event types in both versions, with their meanings. */
export const eventTypeTexts: Readonly<Record<string, string>> = Object.fromEntries(
  eventTypes.flatMap((type) => {
    const name = eventName(type, "v1")
    const text = described.get(type) ?? type
    return name === type
      ? [[type, text]]
      : [
          [type, text],
          [name, `The \`/v1\` name of \`${type}\`.`]
        ]
  })
)
