import { createHash } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import type { RealmId } from "#domain/Ids"
import type { RenderingBusy } from "#domain/MailTemplate"
import { LruMap } from "#platform/LruMap"
import type { Cleaned } from "./Cleaned.ts"
import type { ContentKind } from "./Cleaning.ts"
import { CleaningThread } from "./CleaningThread.ts"

/** The maximum number of cached results. Each takes up to 150 kB. */
const CAPACITY = 64

/** Cleans the markup and drawings of tenants. Caches results by digest (SEC-249). */
export class ContentCleaner extends Context.Service<
  ContentCleaner,
  {
    clean(realmId: RealmId, content: ContentKind, text: string): Effect.Effect<Cleaned, RenderingBusy>
  }
>()("sallyport/core/ContentCleaner") {
  static readonly layer = Layer.effect(
    ContentCleaner,
    Effect.map(CleaningThread, (thread) => {
      const results = new LruMap<string, { readonly key: string; readonly cleaned: Cleaned }>(CAPACITY)
      const keyOf = (realmId: RealmId, content: ContentKind, text: string) =>
        `${realmId} ${content} ${createHash("sha256").update(text).digest("base64")}`
      return ContentCleaner.of({
        clean: (realmId, content, text) =>
          Effect.suspend(() => {
            const key = keyOf(realmId, content, text)
            const known = results.get(key)
            if (known !== undefined) return Effect.succeed(known.cleaned)
            return Effect.tap(thread.clean(realmId, content, text), (cleaned) =>
              Effect.sync(() => {
                results.set({ key, cleaned })
                // Callers often send back the cleaned content that they read. Cleaning it again gives the same text, so cache
                // that too.
                if (cleaned._tag === "Cleaned") results.set({ key: keyOf(realmId, content, cleaned.text), cleaned })
              })
            )
          })
      })
    })
  )
}
