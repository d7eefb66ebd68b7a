import { event } from "../events/Docs.ts"
import { documentGroup } from "../GroupDocs.ts"
import { ClockV2 } from "./V2.ts"

const clock = { object: "clock", now: 1_797_830_591.2 } as const

export const clockV2 = documentGroup(
  ClockV2,
  "The clock in test mode (`SALLYPORT_TEST_MODE=on`); otherwise these endpoints return 404.",
  {
    read: { summary: "Get the time", answer: clock },
    advance: {
      summary: "Advance the time",
      description:
        "Performs everything that becomes due in that time, in every realm, and returns the recorded events. Takes either `advance` (seconds, or text such as `30 days`) or `advance_to`, not both, and nothing else. `advance: 0` performs what is due now: waiting emails and webhooks are sent before the response. The clock also keeps running. The expiry of a session records no event. 409 while the clock is already being advanced.",
      request: { advance: "30 days" },
      answer: { ...clock, events: [event] }
    }
  }
)
