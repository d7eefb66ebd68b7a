import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { start } from "../ServerProcess.ts"
import { freshEnvironment, ROOT_KEY } from "./FreshEnvironment.ts"

test("Metrics add up to the requests sent, by method, route template and status", async () => {
  const running = await start(await freshEnvironment())
  const root = new Api(running.url, ROOT_KEY)
  const nobody = new Api(running.url, undefined)
  const realm = await root.post("/v2/realms", { realm: { name: "Counted", jwt_algo: "hs256" } })
  const api = new Api(running.url, ROOT_KEY, realm.id)
  await Promise.all([
    ...Array.from({ length: 40 }, () => api.get("/v2/users")),
    ...Array.from({ length: 30 }, (_, n) =>
      api.post("/v2/users", { user: { email: `u${n}@example.test`, credentials: [] } })
    ),
    ...Array.from({ length: 20 }, () => api.get("/v2/users/nobody@example.test")),
    ...Array.from({ length: 10 }, () => nobody.get("/v2/users")),
    ...Array.from({ length: 5 }, (_, n) => nobody.get(`/nowhere/${n}`)),
    ...Array.from({ length: 5 }, () => nobody.call("PATCH", "/v2/users"))
  ])
  const { text } = await nobody.get("/metrics")
  const count = (method: string, route: string, status: number) =>
    Number(
      new RegExp(`^http_requests_total\\{method="${method}",route="${route}",status="${status}"\\} (\\d+)$`, "m").exec(
        text
      )?.[1]
    )
  expect({
    listed: count("GET", "/v2/users", 200),
    made: count("POST", "/v2/users", 201),
    missing: count("GET", "/v2/users/:user_id", 404),
    refused: count("GET", "/v2/users", 401),
    nowhere: count("GET", "none", 404),
    wrongMethod: count("PATCH", "/v2/users", 405)
  }).toEqual({ listed: 40, made: 30, missing: 20, refused: 10, nowhere: 5, wrongMethod: 5 })
  expect(text).toMatch(/^http_request_duration_seconds_count\{method="POST",route="\/v2\/users"\} 30$/m)
  expect(text).toMatch(/^database_transaction_wait_seconds_count \d+$/m)
  expect(text).toMatch(/^password_hashes_waiting 0$/m)
  await running.stop("SIGKILL")
})
