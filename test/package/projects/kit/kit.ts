// The test kit as used by a TypeScript app without Effect. Only compiled, never run.
import { type CapturedMail, type Started, type Step, start, type TestOptions } from "sallyport/testing/promise"

const options: TestOptions = {
  database: { _tag: "Postgres", url: "postgres://localhost/sallyport_test" },
  providers: { google: { endpoints: { token: "http://localhost:9000/token" }, supportsPkce: false } },
  startsAt: "2026-01-01T00:00:00Z"
}

const steps: ReadonlyArray<Step> = [0, "30 days", "1 week", { hours: 2, minutes: 30 }]

export const reset = async (): Promise<ReadonlyArray<string>> => {
  const service: Started = await start(options)
  const { user, sallyport, login } = await service.realm({ name: "Acme" })
  const { secret } = await sallyport.hooks.create({ destination: "https://app.example.com/events" })
  const { id } = await user({ email: "ada@example.com" })
  const { token } = await login({ id })
  const types: Array<string> = []
  for (const step of steps) types.push(...(await service.advance(step)).map((event) => event.event_type))
  const mail: CapturedMail | undefined = service.inbox("ada@example.com")[0]
  const post = service.deliveries("https://app.example.com/events")[0]
  return [secret, token, ...types, mail?.links[0] ?? "", post?.body ?? ""]
}

/** Errors that the types must report: an unknown unit, an unknown option, and an option of the Effect form. */
export const refused: readonly [
  unit: "3 moons" extends Step ? never : true,
  option: "startsAtt" extends keyof TestOptions ? never : true,
  connections: "connections" extends keyof TestOptions ? never : true
] = [true, true, true]
