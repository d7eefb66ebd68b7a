import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { MAX_ROWS } from "#domain/ImportRow"
import { RequiredLevel, Resource, requireStreamedAccess } from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { errorMembers } from "../Errors.ts"
import { QueryFlag, realmQuery } from "../Wire.ts"
import { ExportEnd, ExportStart } from "./ExportMarks.ts"
import { UserRow } from "./Rows.ts"

/** The media type of rows, with one JSON value per line. */
export const NDJSON = "application/x-ndjson"

const count = (description: string) => describe(Schema.Finite, description, { type: "integer", minimum: 0 })

/** A rejected row. The response has a line for each one, sent as soon as the row is rejected. */
export const RefusedRow = Schema.Struct({
  object: objectType("refused_row"),
  line: describe(Schema.Finite, "The number of the line in the import; the first is 1.", {
    type: "integer",
    minimum: 1
  }),
  reference: describe(Schema.NullOr(Schema.String), "The row's `reference`; null if it is missing or unreadable."),
  errors: errorMembers.errors,
  error_details: errorMembers.error_details
}).annotate({ identifier: "RefusedRow" })

/** The last line of the response to an import. */
export const ImportSummary = Schema.Struct({
  object: objectType("import"),
  realm_id: describe(Schema.String, "The ID of the realm."),
  complete: describe(
    Schema.Boolean,
    "Whether all rows were processed and, for an imported export, no rows were missing. If not, `error_details` contains the reason. To continue the import, send all rows again."
  ),
  dry_run: describe(Schema.Boolean, "Whether nothing was written."),
  rows: count(`The number of processed rows: the sum of the next four, at most ${MAX_ROWS.toLocaleString("en")}.`),
  created: count("The number of users created."),
  updated: count("The number of users who were changed, or who got credentials or memberships."),
  unchanged: count("The number of users who already matched their rows."),
  refused: count("The number of rejected rows. Each has its own line."),
  orgs_created: count("The number of orgs created."),
  errors: errorMembers.errors,
  error_details: errorMembers.error_details,
  request_id: errorMembers.request_id
}).annotate({ identifier: "ImportSummary" })

/** Imports of users (C66, C79). */
export class ImportsV2 extends HttpApiGroup.make("v2.imports")
  .add(
    HttpApiEndpoint.post("import", "/", {
      disableCodecs: true,
      query: {
        ...realmQuery,
        dry_run: Schema.optionalKey(QueryFlag),
        events: Schema.optionalKey(QueryFlag)
      },
      payload: HttpApiSchema.StreamNdjson({ schema: Schema.Union([ExportStart, UserRow, ExportEnd]) }),
      success: HttpApiSchema.StreamNdjson({ schema: Schema.Union([RefusedRow, ImportSummary]) })
    }).annotate(RequiredLevel, "admin_realm")
  )
  .prefix("/v2/imports")
  .annotateEndpoints(Resource, "realm")
  .pipe(requireStreamedAccess) {}
