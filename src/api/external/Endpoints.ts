import type { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { RequiredLevel } from "../Access.ts"
import { ExternalRefusal } from "../Errors.ts"
import { listOf } from "../Wire.ts"
import { providerPath, urlQuery } from "./Fields.ts"

/** The endpoints that return authorization URLs. `body` is the version's response schema. */
export const authorizationUrls = <Body extends Schema.Top>(body: Body) =>
  [
    HttpApiEndpoint.get("list_urls", "/authorize", {
      disableCodecs: true,
      query: urlQuery,
      success: listOf(body)
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.get("get_url", "/:auth_provider_id/authorize", {
      disableCodecs: true,
      params: providerPath,
      query: urlQuery,
      success: body,
      error: ExternalRefusal
    }).annotate(RequiredLevel, "read")
  ] as const
