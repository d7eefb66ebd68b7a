import { Context, type Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { PagePreview } from "#core/apps/AppDrafts"
import type { CurrentRealm } from "#domain/Realm"

/** Renders pages of hosted login with unsaved settings. */
export class PagePreviews extends Context.Service<
  PagePreviews,
  {
    /** Renders a page as a self-contained document, with inlined logos and without scripts. */
    render(preview: PagePreview): Effect.Effect<string, never, CurrentRealm | HttpServerRequest.HttpServerRequest>
  }
>()("sallyport/http/PagePreviews") {}
