import { Context, DateTime, Effect, Equal, Layer } from "effect"
import { type AppHook, HookNotFound, type HookType, type Webhook } from "#domain/AppHook"
import { type AppHookInput, applyHookInput, hookProblems } from "#domain/AppHookInput"
import { Caller, type LevelTooLow, levelTooLow } from "#domain/Caller"
import type { Version } from "#domain/Event"
import { changedMembers } from "#domain/EventChanges"
import { isId, type RealmId } from "#domain/Ids"
import { rejectIfAny } from "#domain/KnownProblems"
import { allows } from "#domain/Level"
import type { RenderingBusy } from "#domain/MailTemplate"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import type { RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { rejection } from "#domain/Rejected"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { OutboundPolicy } from "#platform/OutboundPolicy"
import { Transaction } from "#platform/Transaction"
import { storedRealm } from "#store/hooks/AppHookRows"
import { AppHooksRepo, type HookFilter } from "#store/hooks/AppHooksRepo"
import { DeliveriesRepo } from "#store/hooks/DeliveriesRepo"
import { RealmsRepo } from "#store/realms/RealmsRepo"
import { Journal } from "../events/Journal.ts"
import { MailRenderer } from "../mail/MailRenderer.ts"
import { MailSenders } from "../mail/MailSenders.ts"
import { withDefaultText, withoutDefaultText } from "./DefaultHookText.ts"
import { hasSameTemplate, templateValidator } from "./TemplateValidation.ts"
import { webhookSecret } from "./WebhookSignature.ts"

/** How many hours the previous secret is still used for signing after a rotation. */
const OVERLAP_HOURS = 24

/** A hook, with its secret if the caller may see it. */
export interface HookWithSecret {
  readonly hook: AppHook
  readonly secret: string | null
}

/** The settings of a new hook. `realmId` is null for a hook for all realms. */
export interface NewHook {
  readonly realmId: RealmId | null
  readonly hookType: HookType
  readonly version: Version
  readonly input: AppHookInput
}

type ChangeResult<Failure = never> = Effect.Effect<
  HookWithSecret,
  HookNotFound | LevelTooLow | Rejected | RealmNotFound | Failure,
  Caller
>

/** Manages hooks (`v1.hook`, C35 to C39). `within` limits a call to one realm. */
export class AppHooks extends Context.Service<
  AppHooks,
  {
    get(within: RealmId | undefined, id: string): Effect.Effect<HookWithSecret, HookNotFound, Caller>
    /** Gets a hook that the caller may manage. */
    getManaged(within: RealmId | undefined, id: string): Effect.Effect<AppHook, HookNotFound | LevelTooLow, Caller>
    list(filter: HookFilter, page: PageOf<"id">): Effect.Effect<Page<AppHook>, HookNotFound, Caller>
    /** Returns the hook that `create` would create, without storing it. */
    draft(request: NewHook): Effect.Effect<AppHook, LevelTooLow | Rejected | RenderingBusy, Caller>
    /** Records `app_hook.created`. */
    create(
      request: NewHook
    ): Effect.Effect<HookWithSecret, LevelTooLow | Rejected | RealmNotFound | RenderingBusy, Caller>
    /** Records `app_hook.updated` if anything changed. Pending deliveries are canceled if the hook becomes inactive. */
    update(within: RealmId | undefined, id: string, version: Version, input: AppHookInput): ChangeResult<RenderingBusy>
    /**
     * Gives a webhook a new secret. For another 24 hours, requests are also signed with the previous secret. Records
     * `app_hook.updated`.
     */
    rotateSecret(within: RealmId | undefined, id: string): ChangeResult
    /** Records `app_hook.deleted`. Pending deliveries are canceled. */
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
      const outboundPolicy = yield* OutboundPolicy
      const transaction = yield* Transaction
      const senders = yield* MailSenders
      const tryTemplate = templateValidator(yield* MailRenderer)

      const isWithin = (within: RealmId | null | undefined, hook: AppHook | undefined): hook is AppHook =>
        hook !== undefined && (within === undefined || hook.realmId === within)

      /** Requires a caller who manages all realms if the hook is for all realms (C37). */
      const requireManager = Effect.fnUntraced(function* (realmId: RealmId | null) {
        const caller = yield* Caller
        if (realmId === null && !allows(caller.level, "admin_all_realms")) {
          return yield* levelTooLow(caller, { level: "admin_all_realms" })
        }
      })

      /**
       * Returns a hook as the caller sees it. A default email is returned with its text, and a webhook with its secret if the
       * caller's level allows it (C6).
       */
      const read = Effect.fnUntraced(function* (hook: AppHook) {
        const { level } = yield* Caller
        if (hook.hookType === "email") {
          const realm = hook.realmId === null ? undefined : yield* realms.find(hook.realmId)
          return { hook: withDefaultText(hook, realm?.defaultLocale ?? "en"), secret: null }
        }
        const isShown = allows(level, hook.realmId === null ? "admin_all_realms" : "admin_realm")
        return { hook, secret: isShown ? ((yield* repo.secrets(hook))?.current ?? null) : null }
      })

      const find = Effect.fnUntraced(function* (within: RealmId | null | undefined, id: string) {
        const hook = isId("hook", id) ? yield* repo.find(id) : undefined
        return isWithin(within, hook) ? hook : yield* new HookNotFound({ id })
      })

      const lockManaged = Effect.fnUntraced(function* (within: RealmId | undefined, id: string) {
        const hook = isId("hook", id) ? yield* repo.findForUpdate(id) : undefined
        if (!isWithin(within, hook)) return yield* new HookNotFound({ id })
        yield* requireManager(hook.realmId)
        return hook
      })

      const senderOf = (hook: AppHook) => (hook.hookType === "email" ? hook.emailFrom : null)

      const validate = Effect.fnUntraced(function* (
        before: AppHook | undefined,
        after: AppHook,
        input: AppHookInput,
        version: Version
      ) {
        const problems = [...hookProblems(after, input, version, (url) => outboundPolicy.problem(url))]
        const sender = senderOf(after)
        // An existing sender may stay even if it is no longer allowed. Its emails are sent from the deployment's default
        // address.
        const isNew = before === undefined || senderOf(before) !== sender
        const isFieldValid = !problems.some(({ field }) => field === "email_from")
        if (isNew && isFieldValid) problems.push(...senders.problems("email_from", sender))
        yield* rejectIfAny(problems)
        return after
      })

      const record = (what: "created" | "deleted", { realmId, id }: AppHook) =>
        journal.recordIn(storedRealm(realmId), [{ eventType: `app_hook.${what}`, hookId: id }])

      const recordUpdate = ({ realmId, id }: AppHook, changed: ReadonlyArray<string>) =>
        journal.recordIn(storedRealm(realmId), [{ eventType: "app_hook.updated", hookId: id, changed }])

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

      const draft = Effect.fn("AppHooks.draft")(function* (request: NewHook) {
        yield* requireManager(request.realmId)
        const hook = yield* validate(
          undefined,
          applyHookInput(yield* blank(request), request.input, request.version),
          request.input,
          request.version
        )
        yield* tryTemplate(undefined, hook)
        return hook
      })

      const create = Effect.fn("AppHooks.create")(function* (request: NewHook) {
        const hook = yield* draft(request)
        const secret = hook.hookType === "webhook" ? webhookSecret(entropy) : undefined
        yield* transaction.run(Effect.andThen(repo.insert([hook], secret), record("created", hook)))
        return { hook, secret: secret ?? null }
      })

      /** Writes a change. Returns undefined if the template differs from the validated one and must be validated again. */
      const writeChange = Effect.fnUntraced(function* (before: AppHook, after: AppHook, validated: AppHook) {
        if (Equal.equals(before, after)) return yield* read(before)
        if (!hasSameTemplate(before, after) && !hasSameTemplate(validated, after)) return undefined
        // Reactivating a hook clears its failures.
        const isReactivated = after.state === "active" && before.state === "inactive"
        const stored = isReactivated ? { ...after, failingSince: null } : after
        yield* repo.update(stored)
        if (after.state === "inactive" && before.state === "active") yield* deliveries.cancelOfHook(after)
        yield* recordUpdate(after, changedMembers(before, after))
        return yield* read(stored)
      })

      const update = Effect.fn("AppHooks.update")(function* (
        within: RealmId | undefined,
        id: string,
        version: Version,
        input: AppHookInput
      ) {
        const applyChange = (before: AppHook) =>
          validate(before, applyHookInput(before, withoutDefaultText(before, input), version), input, version)
        for (;;) {
          const seen = yield* find(within, id)
          yield* requireManager(seen.realmId)
          const validated = yield* applyChange(seen)
          yield* tryTemplate(seen, validated)
          const result = yield* transaction.run(
            Effect.gen(function* () {
              const before = yield* lockManaged(within, id)
              return yield* writeChange(before, yield* applyChange(before), validated)
            })
          )
          if (result !== undefined) return result
        }
      })

      const rotate = Effect.fnUntraced(function* (hook: Webhook) {
        const secret = webhookSecret(entropy)
        const until = DateTime.add(yield* DateTime.now, { hours: OVERLAP_HOURS })
        const before = yield* repo.secrets(hook)
        const previous = typeof before?.current === "string" ? { secret: before.current, until } : null
        yield* repo.setSecrets(hook, { current: secret, previous })
        yield* recordUpdate(hook, ["secret"])
        return { hook, secret }
      })

      const rotateSecret = Effect.fn("AppHooks.rotateSecret")(function* (within: RealmId | undefined, id: string) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const hook = yield* lockManaged(within, id)
            if (hook.hookType === "email") return yield* rejection("hook_type", "no_secret")
            return yield* rotate(hook)
          })
        )
      })

      const remove = Effect.fn("AppHooks.delete")(function* (within: RealmId | undefined, id: string) {
        yield* transaction.run(
          Effect.gen(function* () {
            const hook = yield* lockManaged(within, id)
            yield* repo.delete(hook)
            yield* deliveries.cancelOfHook(hook)
            yield* record("deleted", hook)
          })
        )
      })

      return AppHooks.of({
        get: (within, id) => Effect.flatMap(find(within, id), read),
        getManaged: (within, id) => Effect.tap(find(within, id), ({ realmId }) => requireManager(realmId)),
        list: Effect.fn("AppHooks.list")(function* (filter, page) {
          yield* checkAfter(page, "hook", (id) => find(filter.realmId, id))
          return pageOf(yield* repo.list(filter, page), page.maxResults)
        }),
        draft,
        create,
        update,
        rotateSecret,
        delete: remove
      })
    })
  )
}
