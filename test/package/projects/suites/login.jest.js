import { start } from "sallyport/testing/promise"
import { journey } from "./journey.js"

let service
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

test("someone logs in, gets a mail, and a webhook is told", async () => {
  expect(await journey(service)).toEqual({ login: "ada@example.com", page: 200, event: "user.created" })
})
