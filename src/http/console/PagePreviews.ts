import { Context, type Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { PagePreview } from "#core/apps/AppDrafts"
import type { CurrentRealm } from "#domain/Realm"

/** Renders pages of hosted login as they would be with settings that are not saved. */
export class PagePreviews extends Context.Service<
  PagePreviews,
  {
    /** The document of a page. It stands by itself, with its logos in it, and without scripts. */
    render(preview: PagePreview): Effect.Effect<string, never, CurrentRealm | HttpServerRequest.HttpServerRequest>
  }
>()("sallyport/http/PagePreviews") {}
