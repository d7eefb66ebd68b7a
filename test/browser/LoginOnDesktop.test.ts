import { testLoginJourney } from "./LoginJourney.ts"

testLoginJourney({ width: 1280, scheme: "light", scripts: true })
testLoginJourney({ width: 1280, scheme: "dark", scripts: false })
