import { documentGroup } from "../GroupDocs.ts"
import { userRow } from "../imports/Docs.ts"
import { ExportsV2 } from "./V2.ts"

/** The docs of exports. */
export const exportsV2 = documentGroup(ExportsV2, "Export of all users, in the format of imports.", {
  export: {
    summary: "Export users",
    description: `The response is NDJSON. The first line is \`{"object": "export", "secrets": …}\`, the last \`{"object": "export_end", "users": …}\`; an export without its last line is incomplete. Between them, there is one user per line, including API users, oldest first. Users are read from the database while the response is sent, and users created in the meantime may or may not be included. You can import the complete export unchanged, to move a realm or to copy it into an empty realm, whose export is then identical.

Hashes and secrets are included only for keys of level \`admin_all_realms\`; for other keys, passwords, authenticator apps, API keys and access tokens are omitted, and \`secrets\` is false. Exports never include API keys stored only as a digest, emails that are waiting for verification, memberships in closed orgs, or a user's memberships beyond the oldest 1,000. \`reference\` is the ID if a user or an org has no unique reference.

A realm can have one import or export at a time on each node. Starting another returns 409 \`import_running\`.

Events: \`realm.exported\`.`,
    response: userRow
  }
})
