import { Schema } from "effect"
import { describe, objectType } from "../Description.ts"

/** The first line of an export. */
export const ExportStart = Schema.Struct({
  object: objectType("export"),
  secrets: describe(
    Schema.Boolean,
    "Whether passwords, authenticator apps, API keys and access tokens are in the export. If false, importing it creates users without them."
  )
}).annotate({ identifier: "ExportStart" })

/** The last line of an export. An export without it is incomplete. */
export const ExportEnd = Schema.Struct({
  object: objectType("export_end"),
  users: describe(Schema.Finite, "The number of users in the export.", { type: "integer", minimum: 0 })
}).annotate({ identifier: "ExportEnd" })
