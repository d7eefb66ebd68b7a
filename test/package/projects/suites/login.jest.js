import { start } from "sallyport/testing/promise"
import { journey } from "./journey.js"

let service
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

test("a user logs in, receives an email, and a webhook is notified", async () => {
  expect(await journey(service)).toEqual({ login: "ada@example.com", page: 200, event: "user.created" })
})
