import type { Deployment } from "./Deployment.ts"

/** The introduction of the reference, with the rules that apply to every operation. */
export const overview = ({ headers }: Deployment) => `A multi-tenant identity service.

**Keys.** Every request needs an API key, except for hosted login and public keys. Send it as a Bearer token or in
\`${headers.apiKey}\`. A key has one of four levels, each of which includes the previous ones: \`read\`, \`write\`, \`admin_realm\`,
\`admin_all_realms\`. With a key that is not locked to a realm, name the realm in \`realm_id\` or in the header \`${headers.realm}\`.

**Bodies** are JSON or form-encoded text in UTF-8 of at most 256 KiB, with the matching \`Content-Type\`. In a form, numbers and booleans are written
as text. Unknown and read-only members are ignored; under \`/v2\`, a member that is next to its wrapper instead of
inside it is rejected. \`realm_id\` may be in either place. To update a resource, send only what changes. Blank text counts as null. Responses may
gain members.

**Times** are Unix timestamps in seconds, with up to three decimals. **IDs** are opaque; sorting by \`id\` sorts by creation.
**Lengths** are in characters (Unicode code points).

**Lists** are returned in pages. To get the next one while \`more_results\` is true, repeat the request with \`after\` set to the ID of the
last item, or follow the header \`Link: <?…>; rel="next"\`, which works even if that item has been deleted since. Query parameters with several values can be repeated, or their values can be separated by commas. Unknown query parameters are rejected, with the nearest
known name; \`/v1\` ignores them and lists them in the header \`${headers.ignored}\`.

**Errors** have a sentence for each problem in \`errors\`, and a code in \`error_details\`. A 422 lists all problems of the
request, both of types and of rules. Problems that depend on other resources, such as an email that is already in use, are only reported if there are no others.`
