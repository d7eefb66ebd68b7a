import { describe } from "vitest"
import { openidClientParty } from "./OpenidClientParty.ts"
import { testParties } from "./Variants.ts"

describe("relying parties built with openid-client", () => testParties(openidClientParty))
