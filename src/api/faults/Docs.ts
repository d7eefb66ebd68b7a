import { describeGroup } from "../GroupDocs.ts"
import { FaultsV2 } from "./V2.ts"

const faults = { object: "faults", mail: 2, webhook: 0, provider: 0, database: 0 } as const

export const faultsV2 = describeGroup(
  FaultsV2,
  "Failures on demand of a service in test mode (`SALLYPORT_TEST_MODE=on`); elsewhere these addresses are 404. What follows a failure is what follows it in production.",
  {
    read: { summary: "Get what is to fail", answer: faults },
    fail: {
      summary: "Let something fail",
      description:
        "Lets mails, webhooks, external providers or the database fail the next times. A mail or a webhook's event is sent again later; who logs in by a provider is told that it failed; a request whose database fails gets 503 with its `request_id`, changes nothing, and can be sent again. Requests to `/v2/test` never meet a failing database, nor does work in the background.",
      request: { fail: "mail", times: 2 },
      answer: faults
    },
    clear: { summary: "Let nothing fail any more" }
  }
)
