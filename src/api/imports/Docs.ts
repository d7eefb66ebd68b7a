import { documentGroup } from "../GroupDocs.ts"
import { org, user } from "../memberships/Samples.ts"
import { ImportsV2 } from "./V2.ts"

/** A sample row, with a bcrypt hash of "correct horse battery". */
export const userRow = {
  reference: "crm-4711",
  user_type: "human",
  state: "active",
  email: "ada@example.com",
  email_verification: "verified",
  first_name: "Ada",
  last_name: "Lovelace",
  username: null,
  locale: "en",
  custom: { plan: "gold" },
  created_at: 1_590_000_000,
  last_login_at: null,
  credentials: [
    {
      credential_type: "password",
      password_hash: "$2y$10$tZthmvI.T2jSJ0l1ZqFBBuPEokWbkd9Y3AvkHePMZWKsdjRQsK/nS",
      created_at: 1_590_000_000
    },
    {
      credential_type: "totp",
      name: "Phone",
      otp_secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
      state: "active",
      created_at: 1_590_000_000
    }
  ],
  memberships: [
    {
      org: {
        reference: "crm-acme",
        name: org.name,
        state: "active",
        custom: {},
        created_at: 1_580_000_000
      },
      permissions: ["ar:owner", "billing:read"],
      custom: {},
      expires_at: null,
      created_at: 1_590_000_000
    }
  ]
} as const

/** A curl sample. The reader would print the sample row on several lines, and each of them would be parsed as a row. */
const curlOfRows = `echo '{"reference":"crm-4711","email":"ada@example.com","first_name":"Ada"}' > users.ndjson

curl "$URL/v2/imports?realm_id=$REALM&dry_run=true" \\
  --header "Authorization: Bearer $KEY" \\
  --header "Content-Type: application/x-ndjson" \\
  --data-binary @users.ndjson`

/** The docs of imports. */
export const importsV2 = documentGroup(
  ImportsV2,
  "Import of many users, with their hashes, authenticator apps, profiles at providers and memberships.",
  {
    import: {
      summary: "Import users",
      description: `The body is NDJSON (\`Content-Type: application/x-ndjson\`): one user per line, up to 100,000 lines of up to 1 MiB, processed as they arrive. A row updates the user with its \`reference\`, or creates the user if there is none. Updates replace the members in the row and leave all others unchanged. There are three exceptions: keys of \`custom\`, credentials and memberships are added or changed individually, and existing ones that are not in the row don't change. A membership's \`permissions\` are replaced entirely. No user, credential, membership or org is deleted.

The response has a line for each rejected row, sent as soon as the row is rejected, and a summary at the end. Rows are written in batches of up to 400, each in one transaction. After a crash or a lost connection, send the same rows again; rows already imported count as \`unchanged\`. Read the response while you send the rows, because the import pauses when 10,000 lines of the response are unread. The import ends if no part of the body arrives for 30 seconds. A realm can have one import or export at a time on each node. Starting another returns 409 \`import_running\`. The \`Idempotency-Key\` is ignored.

Events: \`realm.importing\` with the first change, \`realm.imported\` with the counts at the end, and \`session.deleted\` for each session that ends because a row makes its user inactive or replaces the password. \`events=true\` also records an event for each change (\`user.created\`, \`user.updated\`, \`user.email.verified\`, \`org.created\`, \`membership.created\`, \`membership.updated\`, \`membership.deleted\`), except those that would send an email.`,
      sample: { lang: "Shell", label: "curl", source: curlOfRows },
      request: userRow,
      response: {
        object: "import",
        realm_id: user.realm_id,
        complete: true,
        dry_run: false,
        rows: 1,
        created: 1,
        updated: 0,
        unchanged: 0,
        refused: 0,
        orgs_created: 1,
        errors: [],
        error_details: [],
        request_id: "req_01m7y8xyppa4mjba95k6p76tdq"
      }
    }
  },
  {
    dry_run: {
      description:
        "Whether to only check the rows. Nothing is written, and the summary has the numbers that an import would have. Default: false.",
      schema: { default: false }
    },
    events: {
      description:
        "Whether to record an event for each change, which hooks then receive. Default: false, which only records `realm.importing`, `realm.imported` and `session.deleted`.",
      schema: { default: false }
    }
  }
)
