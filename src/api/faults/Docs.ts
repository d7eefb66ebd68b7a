import { documentGroup } from "../GroupDocs.ts"
import { FaultsV2 } from "./V2.ts"

const faults = { object: "faults", mail: 2, webhook: 0, provider: 0, database: 0 } as const

export const faultsV2 = documentGroup(
  FaultsV2,
  "Failures on demand, in test mode (`SALLYPORT_TEST_MODE=on`) only. Without test mode, these endpoints return 404. The failures have the same consequences as in production.",
  {
    read: { summary: "Get pending failures", response: faults },
    fail: {
      summary: "Request failures",
      description:
        "Makes the next emails, webhooks, calls to external providers or database requests fail. Emails and webhooks are retried later; logins at a provider fail with an error; a request whose database fails returns 503 with its `request_id`, changes nothing, and can be repeated. The database never fails for requests to `/v2/test` or for background work.",
      request: { fail: "mail", times: 2 },
      response: faults
    },
    clear: { summary: "Cancel pending failures" }
  }
)
