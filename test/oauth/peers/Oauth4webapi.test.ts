import { describe } from "vitest"
import { oauth4webapiParty } from "./Oauth4webapiParty.ts"
import { testParties } from "./Variants.ts"

describe("relying parties built with oauth4webapi", () => testParties(oauth4webapiParty))
