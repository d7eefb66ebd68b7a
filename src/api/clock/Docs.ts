import { event } from "../events/Docs.ts"
import { documentGroup } from "../GroupDocs.ts"
import { ClockV2 } from "./V2.ts"

const clock = { object: "clock", now: 1_797_830_591.2 } as const

export const clockV2 = documentGroup(
  ClockV2,
  "The clock, in test mode (`SALLYPORT_TEST_MODE=on`) only. Without test mode, these endpoints return 404.",
  {
    read: { summary: "Get the time", response: clock },
    advance: {
      summary: "Advance the time",
      description:
        "Performs everything that becomes due in that time, in every realm, and returns the recorded events. Accepts either `advance` (seconds, or text such as `30 days`) or `advance_to`, and no other members. `advance: 0` performs everything that is due now: waiting emails and webhooks are sent before the response. The clock also continues to run. The expiry of a session records no event. Returns 409 while the clock is already being advanced.",
      request: { advance: "30 days" },
      response: { ...clock, events: [event] }
    }
  }
)
