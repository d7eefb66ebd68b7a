import { Context, DateTime, Effect, Layer } from "effect"
import type { EmailHook } from "#domain/AppHook"
import type { AppDraft } from "#domain/ConnectedApp"
import { type DefaultMailName, eventTypeOfMail } from "#domain/DefaultMail"
import { carriesToken, type EventType, type EventWithToken } from "#domain/Event"
import { INVITATION_DAYS } from "#domain/Invitation"
import type { Locale } from "#domain/Locale"
import type { RenderingBusy } from "#domain/MailTemplate"
import { accountRealm, CurrentRealm, type Realm } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import { IdGenerator } from "#platform/IdGenerator"
import { AppHooksRepo } from "#store/hooks/AppHooksRepo"
import { RealmsRepo } from "#store/realms/RealmsRepo"
import { Journal } from "../events/Journal.ts"
import { defaultHook } from "./DefaultHooks.ts"
import { isNotice, type MailContent, MailContents, type MailRecipient } from "./MailContents.ts"
import { unrenderable } from "./TemplateValidation.ts"

/** A hook's email, rendered for an event or for sample data. `eventId` is null for sample data. */
export interface MailPreview extends MailContent {
  readonly to: string
  readonly eventId: string | null
}

/** The prefixes of the tokens that events carry, by the beginning of the event type. */
const tokenPrefixes: ReadonlyArray<readonly [type: string, prefix: string]> = [
  ["user.password.", "tpw:"],
  ["user.email.verifying", "tve:"],
  ["user.email.updating", "tue:"],
  ["user.email_code.", "tec:"],
  ["user.deletion.", "tad:"]
]

/** Makes an invalid token in the format of a real one. */
const sampleToken = (type: EventType): string | null => {
  const isInvitation = type.startsWith("invitation.") && type.endsWith(".invited")
  const prefix = isInvitation ? "nvt_" : tokenPrefixes.find(([begin]) => type.startsWith(begin))?.[1]
  return prefix === undefined ? null : `${prefix}${"Sample".padEnd(43, "0")}`
}

/** The days until the deletion of a fictitious recipient's account. */
const SAMPLE_DELETION_DAYS = 30

/** Makes a fictitious recipient. */
const sampleRecipient = (type: EventType, now: DateTime.Utc): MailRecipient => ({
  email: "ada.lovelace@example.com",
  locale: null,
  user: type.startsWith("invitation.")
    ? undefined
    : {
        firstName: "Ada",
        name: "Ada Lovelace",
        username: "ada",
        userType: "human",
        deletionAt: DateTime.add(now, { days: SAMPLE_DELETION_DAYS })
      },
  invitation: null,
  names: type.startsWith("invitation.")
    ? { inviter_name: "Grace Hopper", org_name: type.startsWith("invitation.org.") ? "Acme" : null }
    : { inviter_name: null, org_name: null },
  ...(type.startsWith("invitation.") ? { expiresAt: DateTime.add(now, { days: INVITATION_DAYS }) } : {})
})

/** The maximum number of a realm's email hooks among which a default email is looked for. */
const MAX_HOOKS = 1_000

/** Renders previews of email hooks' emails, without sending them (C207). */
export class MailPreviews extends Context.Service<
  MailPreviews,
  {
    /**
     * Renders the hook's email for the given event. The default is the realm's newest event of the hook's type or, if there is
     * none, sample data. The email contains an invalid token instead of the real one.
     */
    preview(hook: EmailHook, eventId?: string): Effect.Effect<MailPreview, Rejected | RenderingBusy>
    /**
     * Renders a default email of the realm about sample data, in a language and with an app's unsaved look. If the realm has
     * changed its text, the email has that text.
     */
    sample(
      name: DefaultMailName,
      locale: Locale,
      draft: AppDraft
    ): Effect.Effect<MailPreview, Rejected | RenderingBusy, CurrentRealm>
  }
>()("sallyport/core/MailPreviews") {
  static readonly layer = Layer.effect(
    MailPreviews,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const realms = yield* RealmsRepo
      const journal = yield* Journal
      const contents = yield* MailContents
      const repo = yield* AppHooksRepo
      const makeHook = yield* defaultHook

      const eventOf = Effect.fnUntraced(function* (type: EventType, eventId: string | undefined) {
        if (eventId !== undefined) {
          const named = yield* Effect.catchTag(journal.get(eventId, "v2"), "EventNotFound", () =>
            Effect.fail(rejection("event_id", "not_found"))
          )
          return named.eventType === type ? named : yield* rejection("event_id", "other_event_type", { type })
        }
        const query = {
          version: "v2",
          eventTypes: [type],
          related: {},
          actorId: undefined,
          changed: [],
          createdAfter: undefined
        } as const
        const newest = { after: undefined, maxResults: 1, sort: "id", direction: "desc" } as const
        const { items } = yield* journal.list(query, newest).pipe(Effect.orDie)
        return items.find(({ eventType }) => eventType === type)
      })

      const sampleEvent = Effect.fnUntraced(function* (realm: Realm, eventType: EventType) {
        const event: EventWithToken = {
          id: yield* ids.make("event"),
          realmId: realm.id,
          eventType,
          eventAt: yield* DateTime.now,
          userId: null,
          orgId: null,
          membershipId: null,
          invitationId: null,
          sessionId: null,
          authProviderId: null,
          hookId: null,
          appId: null,
          apiKeyId: null,
          actor: { type: "system", id: null },
          changed: [],
          details: {},
          requestIp: "203.0.113.7",
          requestClient: null,
          tokenId: null,
          token: sampleToken(eventType)
        }
        return event
      })

      const preview = Effect.fn("MailPreviews.preview")(function* (hook: EmailHook, eventId?: string) {
        const [type] = hook.eventTypes
        if (type === undefined) return yield* rejection("event_type", "one_event_type")
        const realm = (hook.realmId === null ? undefined : yield* realms.find(hook.realmId)) ?? accountRealm
        const found = yield* Effect.provideService(eventOf(type, eventId), CurrentRealm, realm)
        const known =
          found === undefined ? undefined : yield* contents.recipientOf(found, { addressedTo: null, language: null })
        const event = found === undefined || known === undefined ? yield* sampleEvent(realm, type) : found
        const to = known ?? sampleRecipient(type, event.eventAt)
        const hasToken = !isNotice(hook) && (event.token !== null || carriesToken(event))
        const token = hasToken ? sampleToken(type) : null
        const content = yield* contents
          .render(hook, { ...event, token }, to, realm, event.eventAt)
          .pipe(Effect.catchTag("MailUnrenderable", (failure) => Effect.fail(unrenderable(failure))))
        return { ...content, to: hook.emailTo ?? to.email, eventId: known === undefined ? null : event.id }
      })

      const hookOf = Effect.fnUntraced(function* (realm: Realm, name: DefaultMailName) {
        const page = { after: undefined, maxResults: MAX_HOOKS, sort: "id", direction: "asc" } as const
        const hooks = yield* repo.list({ realmId: realm.id, hookType: "email", state: undefined }, page)
        const changed = hooks.find((hook) => hook.hookType === "email" && hook.defaultOf === name)
        return changed?.hookType === "email" ? changed : yield* makeHook(realm.id, name)
      })

      const sample = Effect.fn("MailPreviews.sample")(function* (
        name: DefaultMailName,
        locale: Locale,
        draft: AppDraft
      ) {
        const realm = yield* CurrentRealm
        const hook = yield* hookOf(realm, name)
        const type = eventTypeOfMail(name)
        const event = yield* sampleEvent(realm, type)
        const to = { ...sampleRecipient(type, event.eventAt), locale }
        const token = isNotice(hook) ? null : event.token
        const content = yield* contents
          .render(hook, { ...event, token }, to, realm, event.eventAt, draft)
          .pipe(Effect.catchTag("MailUnrenderable", (failure) => Effect.fail(unrenderable(failure))))
        const preview: MailPreview = { ...content, to: to.email, eventId: null }
        return preview
      })

      return MailPreviews.of({ preview, sample })
    })
  )
}
