import { event } from "../events/Docs.ts"
import { describeGroup } from "../GroupDocs.ts"
import { ClockV2 } from "./V2.ts"

const clock = { object: "clock", now: 1_797_830_591.2 } as const

export const clockV2 = describeGroup(
  ClockV2,
  "The clock of a service in test mode (`SALLYPORT_TEST_MODE=on`); elsewhere these addresses are 404.",
  {
    read: { summary: "Get the time", answer: clock },
    advance: {
      summary: "Advance the time",
      description:
        "Does everything that falls due on the way, in every realm, and returns the events that happened. Takes either `advance` (seconds, or text such as `30 days`) or `advance_to`, not both, and nothing else. `advance: 0` does what is due now: mails and webhooks that wait are sent before the answer. The clock goes on by itself, too. A session that ends by its age records no event. 409 while the clock is already being advanced.",
      request: { advance: "30 days" },
      answer: { ...clock, events: [event] }
    }
  }
)
