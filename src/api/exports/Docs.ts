import { documentGroup } from "../GroupDocs.ts"
import { userRow } from "../imports/Docs.ts"
import { ExportsV2 } from "./V2.ts"

/** The docs of exports. */
export const exportsV2 = documentGroup(ExportsV2, "Export of all users, in the format of imports.", {
  export: {
    summary: "Export users",
    description: `The response is NDJSON. The first line is \`{"object": "export", "secrets": …}\`, the last \`{"object": "export_end", "users": …}\`; an export without its last line was cut off. Between them is one user per line, API users included, oldest first, read from the database as the response is sent. Users created in the meantime may or may not be included. Imports accept the whole export, so a realm can be moved, or copied into an empty realm, whose export is then the same.

Hashes and secrets are included only for keys of level \`admin_all_realms\`; for others, passwords, authenticator apps, API keys and access tokens are left out, and \`secrets\` is false. Always left out are API keys of which only a digest is stored, emails that await verification, memberships in closed orgs, and a user's memberships beyond the oldest 1,000. \`reference\` is the ID if a user or an org has no reference, or shares it.

A realm can have one import or export at a time on each node; another returns 409 \`import_running\`.

Events: \`realm.exported\`.`,
    answer: userRow
  }
})
