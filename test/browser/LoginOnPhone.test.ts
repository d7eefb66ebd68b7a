import { testLoginJourney } from "./LoginJourney.ts"

testLoginJourney({ width: 390, scheme: "light", scripts: false })
testLoginJourney({ width: 390, scheme: "dark", scripts: true })
