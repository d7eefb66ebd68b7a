import { Context, DateTime, Effect, Equal, Layer } from "effect"
import { type AppHook, type EmailHook, HookNotFound, type HookType, type Webhook } from "#domain/AppHook"
import { type AppHookInput, hookProblems, hookWith } from "#domain/AppHookInput"
import { allows, Caller, LevelTooLow } from "#domain/Caller"
import type { Version } from "#domain/Event"
import { isId, type RealmId } from "#domain/Ids"
import type { RenderingBusy } from "#domain/MailTemplate"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import type { RealmNotFound } from "#domain/Realm"
import { Rejected, rejected } from "#domain/Rejected"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { OutboundPolicy } from "#platform/OutboundPolicy"
import { Transaction } from "#platform/Transaction"
import { storedRealm } from "#store/AppHookRows"
import { AppHooksRepo, type HookFilter } from "#store/AppHooksRepo"
import { DeliveriesRepo } from "#store/DeliveriesRepo"
import { RealmsRepo } from "#store/RealmsRepo"
import { Journal } from "../events/Journal.ts"
import { defaultMail } from "../mail/DefaultMails.ts"
import { MailRenderer } from "../mail/MailRenderer.ts"
import { MailSenders } from "../mail/MailSenders.ts"
import { mailAlike, templateTrial } from "./TemplateTrial.ts"
import { webhookSecret } from "./WebhookSignature.ts"

/** For how many hours the secret before a rotation signs too. */
const OVERLAP = 24

/** A hook, with its secret where it has one and the caller may have it. */
export interface ReadHook {
  readonly hook: AppHook
  readonly secret: string | null
}

/** What a caller asks for in a new hook. `realmId`: null for all realms. */
export interface NewHook {
  readonly realmId: RealmId | null
  readonly hookType: HookType
  readonly version: Version
  readonly typed: AppHookInput
}

/** A default mail with this release's own text, where it has no other. */
const worded = (hook: EmailHook, locale: string): EmailHook => {
  const standard = hook.defaultOf === null ? undefined : defaultMail(hook.defaultOf, locale)
  return {
    ...hook,
    emailSubject: hook.emailSubject ?? standard?.subject ?? null,
    emailTemplate: hook.emailTemplate ?? standard?.template ?? null
  }
}

/** What was typed, without the text of a default mail as it was read: that stays in the language of who gets it. */
const ownWords = (before: AppHook, typed: AppHookInput): AppHookInput => {
  if (before.hookType !== "email" || before.defaultOf === null) return typed
  const { emailSubject, emailTemplate, ...rest } = typed
  const standards = ["en", "es"].map((locale) => worded({ ...before, emailSubject: null, emailTemplate: null }, locale))
  const subject = standards.some((standard) => standard.emailSubject === emailSubject) ? null : emailSubject
  const template = standards.some((standard) => standard.emailTemplate === emailTemplate) ? null : emailTemplate
  return {
    ...rest,
    ...(subject === undefined ? {} : { emailSubject: subject }),
    ...(template === undefined ? {} : { emailTemplate: template })
  }
}

type Changed<Failure = never> = Effect.Effect<
  ReadHook,
  HookNotFound | LevelTooLow | Rejected | RealmNotFound | Failure,
  Caller
>

/** Hooks (api-v1 section 2, "App hook"; decisions 35 to 39). `within`: the one realm a call is about; undefined: all. */
export class AppHooks extends Context.Service<
  AppHooks,
  {
    get(within: RealmId | undefined, id: string): Effect.Effect<ReadHook, HookNotFound, Caller>
    /** A hook that the caller manages. */
    managed(within: RealmId | undefined, id: string): Effect.Effect<AppHook, HookNotFound | LevelTooLow, Caller>
    list(filter: HookFilter, page: PageOf<"id">): Effect.Effect<Page<AppHook>, HookNotFound, Caller>
    /** `app_hook.created`. */
    create(asked: NewHook): Effect.Effect<ReadHook, LevelTooLow | Rejected | RealmNotFound | RenderingBusy, Caller>
    /** `app_hook.updated` when something differs. What waits for a hook that turns inactive is canceled. */
    update(within: RealmId | undefined, id: string, version: Version, typed: AppHookInput): Changed<RenderingBusy>
    /** Gives a webhook a new secret; the one before signs too for a day. `app_hook.updated`. */
    rotateSecret(within: RealmId | undefined, id: string): Changed
    /** `app_hook.deleted`. What waits for the hook is canceled. */
    delete(
      within: RealmId | undefined,
      id: string
    ): Effect.Effect<void, HookNotFound | LevelTooLow | RealmNotFound, Caller>
  }
>()("sallyport/core/AppHooks") {
  static readonly layer = Layer.effect(
    AppHooks,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const entropy = yield* Entropy
      const repo = yield* AppHooksRepo
      const realms = yield* RealmsRepo
      const deliveries = yield* DeliveriesRepo
      const journal = yield* Journal
      const targets = yield* OutboundPolicy
      const transaction = yield* Transaction
      const senders = yield* MailSenders
      const tryOut = templateTrial(yield* MailRenderer)

      const isWithin = (within: RealmId | null | undefined, hook: AppHook | undefined): hook is AppHook =>
        hook !== undefined && (within === undefined || hook.realmId === within)

      /** Only who manages all realms manages what hears all of them (decision 37). */
      const manages = Effect.fnUntraced(function* (realmId: RealmId | null) {
        const { level } = yield* Caller
        if (realmId === null && !allows(level, "admin_all_realms")) {
          return yield* new LevelTooLow({ required: "admin_all_realms" })
        }
      })

      /** A hook as callers see it: a default mail with its text, a webhook with its secret for who may sign (decision 6). */
      const read = Effect.fnUntraced(function* (hook: AppHook) {
        const { level } = yield* Caller
        if (hook.hookType === "email") {
          const realm = hook.realmId === null ? undefined : yield* realms.find(hook.realmId)
          return { hook: worded(hook, realm?.defaultLocale ?? "en"), secret: null }
        }
        const shown = allows(level, hook.realmId === null ? "admin_all_realms" : "admin_realm")
        return { hook, secret: shown ? ((yield* repo.secrets(hook))?.current ?? null) : null }
      })

      const find = Effect.fnUntraced(function* (within: RealmId | null | undefined, id: string) {
        const hook = isId("hook", id) ? yield* repo.find(id) : undefined
        return isWithin(within, hook) ? hook : yield* new HookNotFound({ id })
      })

      const held = Effect.fnUntraced(function* (within: RealmId | undefined, id: string) {
        const hook = isId("hook", id) ? yield* repo.findForUpdate(id) : undefined
        if (!isWithin(within, hook)) return yield* new HookNotFound({ id })
        yield* manages(hook.realmId)
        return hook
      })

      const senderOf = (hook: AppHook) => (hook.hookType === "email" ? hook.emailFrom : null)

      const checked = Effect.fnUntraced(function* (
        before: AppHook | undefined,
        after: AppHook,
        typed: AppHookInput,
        version: Version
      ) {
        const problems = [...hookProblems(after, typed, version, (url) => targets.problem(url))]
        const sender = senderOf(after)
        // One that was allowed once stays where it is; its mails come from the deployment's own address.
        const isNew = before === undefined || senderOf(before) !== sender
        const isFine = !problems.some(({ field }) => field === "email_from")
        if (isNew && isFine) problems.push(...senders.problems("email_from", sender))
        if (problems.length > 0) return yield* new Rejected({ problems })
        return after
      })

      const record = (what: "created" | "updated" | "deleted", { realmId, id }: AppHook) =>
        journal.recordIn(storedRealm(realmId), [{ eventType: `app_hook.${what}`, hookId: id }])

      const blank = Effect.fnUntraced(function* ({ realmId, hookType, version }: NewHook) {
        const common = {
          id: yield* ids.make("hook"),
          realmId,
          version,
          state: "active" as const,
          eventTypes: [],
          delay: 0,
          createdAt: yield* DateTime.now,
          failingSince: null
        }
        if (hookType === "webhook") return { ...common, hookType, destination: "" }
        return {
          ...common,
          hookType,
          emailFrom: null,
          emailFromName: null,
          emailRenderer: "markdown" as const,
          emailSubject: null,
          emailTemplate: null,
          emailTo: null,
          userType: "all" as const,
          defaultOf: null
        }
      })

      const create = Effect.fn("AppHooks.create")(function* (asked: NewHook) {
        yield* manages(asked.realmId)
        const hook = yield* checked(
          undefined,
          hookWith(yield* blank(asked), asked.typed, asked.version),
          asked.typed,
          asked.version
        )
        yield* tryOut(undefined, hook)
        const secret = hook.hookType === "webhook" ? webhookSecret(entropy) : undefined
        yield* transaction.run(Effect.andThen(repo.insert([hook], secret), record("created", hook)))
        return { hook, secret: secret ?? null }
      })

      /** Writes a change, but for one that would be mailed otherwise than what was tried: then it is undefined. */
      const written = Effect.fnUntraced(function* (before: AppHook, after: AppHook, tried: AppHook) {
        if (Equal.equals(before, after)) return yield* read(before)
        if (!mailAlike(before, after) && !mailAlike(tried, after)) return undefined
        // Whoever turns a hook on again gives its receiver another chance.
        const turnedOn = after.state === "active" && before.state === "inactive"
        const kept = turnedOn ? { ...after, failingSince: null } : after
        yield* repo.update(kept)
        if (after.state === "inactive" && before.state === "active") yield* deliveries.cancelOfHook(after)
        yield* record("updated", after)
        return yield* read(kept)
      })

      const update = Effect.fn("AppHooks.update")(function* (
        within: RealmId | undefined,
        id: string,
        version: Version,
        typed: AppHookInput
      ) {
        const changed = (before: AppHook) =>
          checked(before, hookWith(before, ownWords(before, typed), version), typed, version)
        for (;;) {
          const seen = yield* find(within, id)
          yield* manages(seen.realmId)
          const tried = yield* changed(seen)
          yield* tryOut(seen, tried)
          const done = yield* transaction.run(
            Effect.gen(function* () {
              const before = yield* held(within, id)
              return yield* written(before, yield* changed(before), tried)
            })
          )
          if (done !== undefined) return done
        }
      })

      const rotated = Effect.fnUntraced(function* (hook: Webhook) {
        const secret = webhookSecret(entropy)
        const until = DateTime.add(yield* DateTime.now, { hours: OVERLAP })
        const before = yield* repo.secrets(hook)
        const previous = typeof before?.current === "string" ? { secret: before.current, until } : null
        yield* repo.setSecrets(hook, { current: secret, previous })
        yield* record("updated", hook)
        return { hook, secret }
      })

      const rotateSecret = Effect.fn("AppHooks.rotateSecret")(function* (within: RealmId | undefined, id: string) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const hook = yield* held(within, id)
            if (hook.hookType === "email") return yield* rejected("hook_type", "no_secret")
            return yield* rotated(hook)
          })
        )
      })

      const remove = Effect.fn("AppHooks.delete")(function* (within: RealmId | undefined, id: string) {
        yield* transaction.run(
          Effect.gen(function* () {
            const hook = yield* held(within, id)
            yield* repo.delete(hook)
            yield* deliveries.cancelOfHook(hook)
            yield* record("deleted", hook)
          })
        )
      })

      return AppHooks.of({
        get: (within, id) => Effect.flatMap(find(within, id), read),
        managed: (within, id) => Effect.tap(find(within, id), ({ realmId }) => manages(realmId)),
        list: Effect.fn("AppHooks.list")(function* (filter, page) {
          yield* checkAfter(page, (id) => find(filter.realmId, id))
          return pageOf(yield* repo.list(filter, page), page.maxResults)
        }),
        create,
        update,
        rotateSecret,
        delete: remove
      })
    })
  )
}
