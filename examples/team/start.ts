import { Sallyport } from "sallyport/client"
import { teamApp } from "./app.ts"
import { setUp } from "./setup.ts"

const { SALLYPORT_URL = "http://localhost:3000", SALLYPORT_ROOT_KEY: key, TEAM_PORT = "4001" } = process.env
if (key === undefined) throw new Error("Set SALLYPORT_ROOT_KEY to a key of level admin_all_realms.")

const here = `http://localhost:${TEAM_PORT}`
const { realmId, appId } = await setUp(new Sallyport({ url: SALLYPORT_URL, key }), here)
const sallyport = new Sallyport({ url: SALLYPORT_URL, key, realmId })
const login = { url: SALLYPORT_URL, key, realmId, app: appId }

teamApp({ login, sallyport }).listen(Number(TEAM_PORT), "127.0.0.1", () => {
  console.log(`\n  Teams is ready at ${here}\n  Mailbox, without a mail server: ${SALLYPORT_URL}/mailbox\n`)
})
