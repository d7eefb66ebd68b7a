import { Context, type Effect } from "effect"
import type { RealmId } from "#domain/Ids"
import type { RenderingBusy } from "#domain/MailTemplate"
import type { Cleaned } from "./Cleaned.ts"
import type { ContentKind } from "./Cleaning.ts"

/** Cleans content on the thread that renders emails, within its time limits per realm (SEC-249). */
export class CleaningThread extends Context.Service<
  CleaningThread,
  {
    clean(realmId: RealmId, content: ContentKind, text: string): Effect.Effect<Cleaned, RenderingBusy>
  }
>()("sallyport/core/CleaningThread") {}
