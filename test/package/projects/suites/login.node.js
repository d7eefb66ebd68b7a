import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { start } from "sallyport/testing/promise"
import { journey } from "./journey.js"

let service
before(async () => {
  service = await start()
})
after(() => service.stop())

test("a user logs in, receives an email, and a webhook is notified", async () => {
  assert.deepEqual(await journey(service), { login: "ada@example.com", page: 200, event: "user.created" })
})
