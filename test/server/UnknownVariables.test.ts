import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { inspectSettings } from "#server/Config"

it.effect("variables of other programs and of Kubernetes are ignored, and likely typos are rejected", () =>
  Effect.gen(function* () {
    const ignored = {
      SALLYPORT_PORT: "tcp://10.43.0.7:3000",
      SALLYPORT_SERVICE_HOST: "10.43.0.7",
      SALLYPORT_SERVICE_PORT_HTTP: "3000",
      SALLYPORT_PORT_3000_TCP: "tcp://10.43.0.7:3000",
      SALLYPORT_PORT_3000_TCP_ADDR: "10.43.0.7",
      SALLYPORT_WEB_PORT: "tcp://10.43.0.8:80",
      SALLYPORT_APP_KEY: "sk_an_app's_own",
      SALLYPORT_WEBHOOK_SIGNATURE: "whsec_x"
    }
    const { settings, problems } = yield* inspectSettings(ignored)
    expect(problems).toEqual([])
    expect(settings.unknownVariables).toEqual(Object.keys(ignored))
    const typos = {
      SALLYPORT_PORT: "3000",
      SALLYPORT_DATABASE_URL: "x",
      SALLYPORT_MAX_RELAMS: "5",
      SALLYPORT_WORKER: "2"
    }
    expect((yield* inspectSettings(typos)).problems).toEqual(
      Object.entries({
        PORT: "PORT",
        DATABASE_URL: "DATABASE_URL",
        MAX_RELAMS: "SALLYPORT_MAX_REALMS",
        WORKER: "SALLYPORT_WORKERS"
      }).map(([name, meant]) => `SALLYPORT_${name} is not a setting in this release. Did you mean ${meant}?`)
    )
    expect((yield* inspectSettings({ SALLYPORT_OPS_PORT: "tcp://10.43.0.9:80" })).problems).toEqual([
      "SALLYPORT_OPS_PORT must be a whole number from 0 to 65535. The value comes from a Service in Kubernetes: set enableServiceLinks: false for the pod."
    ])
  })
)
