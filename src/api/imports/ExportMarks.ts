import { Schema } from "effect"
import { describe, objectType } from "../Description.ts"

/** The first line of an export. */
export const ExportStart = Schema.Struct({
  object: objectType("export"),
  secrets: describe(
    Schema.Boolean,
    "Whether the export contains passwords, authenticator apps, API keys and access tokens. If false, users are imported without them."
  )
}).annotate({ identifier: "ExportStart" })

/** The last line of an export. An export without it is incomplete. */
export const ExportEnd = Schema.Struct({
  object: objectType("export_end"),
  users: describe(Schema.Finite, "The number of users in the export.", { type: "integer", minimum: 0 })
}).annotate({ identifier: "ExportEnd" })
