import { describeGroup } from "../GroupDocs.ts"
import { userRow } from "../imports/Docs.ts"
import { ExportsV2 } from "./V2.ts"

/** The docs of exports. */
export const exportsV2 = describeGroup(ExportsV2, "Taking all users out, in the form in which imports take them.", {
  export: {
    summary: "Export users",
    description: `The response is NDJSON. The first line is \`{"object": "export", "secrets": …}\`, the last \`{"object": "export_end", "users": …}\`; an export without its last line was cut off. Between them is a user to a line, API users included, oldest first, read from the database as it is sent. Users who are created meanwhile may or may not be in it. An import takes all of it, so that a realm can be moved, or copied into an empty one, whose export is then the same.

Hashes and secrets are for keys of level \`admin_all_realms\`; for others passwords, authenticator apps, API keys and access tokens are left out, and \`secrets\` is false. Left out for everyone are API keys of which only a digest is stored, emails that await verification, memberships of closed orgs, and those of a user after the oldest 1,000. \`reference\` is the ID where a user or an org has no reference, or shares it.

A realm has one import or export at a time on each node: another is refused with 409 \`import_running\`.

Events: \`realm.exported\`.`,
    answer: userRow
  }
})
