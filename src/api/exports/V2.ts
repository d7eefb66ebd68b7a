import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredLevel, Resource, requireStreamedAccess } from "../Access.ts"
import { ExportEnd, ExportStart } from "../imports/ExportMarks.ts"
import { UserRow } from "../imports/Rows.ts"
import { realmQuery } from "../Wire.ts"

/** Exports of users (C66, C80). */
export class ExportsV2 extends HttpApiGroup.make("v2.exports")
  .add(
    HttpApiEndpoint.get("export", "/", {
      disableCodecs: true,
      query: realmQuery,
      success: HttpApiSchema.StreamNdjson({ schema: Schema.Union([ExportStart, UserRow, ExportEnd]) })
    }).annotate(RequiredLevel, "admin_realm")
  )
  .prefix("/v2/exports")
  .annotateEndpoints(Resource, "realm")
  .pipe(requireStreamedAccess) {}
