import { Context, Effect, Layer } from "effect"
import { CleaningThread } from "#core/appearance/CleaningThread"
import { MailRenderer } from "#core/mail/MailRenderer"
import type { MailTemplate, MailValues } from "#core/mail/MailTemplate"
import type { RealmId } from "#domain/Ids"
import { MailUnrenderable, RenderingBusy } from "#domain/MailTemplate"
import type { RenderResult, Task } from "./MailWorker.ts"
import { RenderingThread, type ThreadOptions } from "./RenderingThread.ts"

/** A failure of the thread. The task didn't cause it, so the task is retried later. */
const broken = (cause: unknown) =>
  Effect.andThen(
    Effect.logError("The thread that renders emails has stopped. Waiting emails will be rendered later.", cause),
    Effect.fail(new RenderingBusy({ retryAfterSeconds: 60 }))
  )

/** Renders emails and cleans content on a thread that exists only while it has tasks. */
export const layer = (options: ThreadOptions = {}): Layer.Layer<MailRenderer | CleaningThread> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const thread = yield* Effect.acquireRelease(
        Effect.sync(() => new RenderingThread(options)),
        (thread) => Effect.sync(() => thread.close())
      )

      const submit = (realmId: RealmId, kind: Parameters<RenderingThread["submit"]>[1], task: Task) =>
        Effect.callback<Exclude<RenderResult, { readonly _tag: "Unrenderable" }>, MailUnrenderable | RenderingBusy>(
          (resume) => {
            const cancel = thread.submit(realmId, kind, task, (outcome) => {
              if (outcome._tag === "Busy") resume(Effect.fail(new RenderingBusy({ retryAfterSeconds: 5 })))
              else if (outcome._tag === "Broken") resume(broken(outcome.cause))
              else if (outcome._tag === "Unrenderable") resume(Effect.fail(new MailUnrenderable({ why: outcome.why })))
              else resume(Effect.succeed(outcome))
            })
            return Effect.sync(cancel)
          }
        )

      const render = Effect.fn("MailRenderer.render")(function* (
        realmId: RealmId,
        mail: MailTemplate,
        values: MailValues
      ) {
        const result = yield* submit(realmId, "mail", { _tag: "Mail", mail, values })
        return result._tag === "Rendered" ? result.mail : yield* Effect.die(new Error("The thread rendered no email."))
      })

      const validate = Effect.fn("MailRenderer.validate")(function* (realmId: RealmId, mail: MailTemplate) {
        yield* submit(realmId, "trial", { _tag: "Trial", mail })
      })

      const clean = Effect.fn("CleaningThread.clean")(function* (
        realmId: RealmId,
        content: Parameters<CleaningThread["Service"]["clean"]>[1],
        text: string
      ) {
        const result = yield* submit(realmId, "content", { _tag: "Content", content, text }).pipe(
          Effect.catchTag("MailUnrenderable", () => Effect.succeed({ _tag: "TooComplex" } as const))
        )
        return result._tag === "Rendered" || result._tag === "Passed"
          ? yield* Effect.die(new Error("The thread cleaned no content."))
          : result
      })

      return Context.make(MailRenderer, { render, validate }).pipe(Context.add(CleaningThread, { clean }))
    })
  )
