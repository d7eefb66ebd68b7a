import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { faultKinds, MAX_FAULTS } from "#domain/Fault"
import { AccountAccess, ErrorResponses, RequiredLevel, Resource } from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { Choice, Integer, maybe } from "../Wire.ts"

const pending = (what: string) => describe(Schema.Finite, `The number of times that ${what} will fail.`)

/** The injected failures that have not happened yet. */
export const FaultsBody = Schema.Struct({
  object: objectType("faults"),
  mail: pending("sending an email"),
  webhook: pending("posting to a webhook"),
  provider: pending("a call to an external provider"),
  database: pending("the database of a request")
}).annotate({ identifier: "Faults", description: "The pending failures." })

const Times = Integer.check(
  Schema.makeFilter((times: number) => times >= 0 && times <= MAX_FAULTS, {
    problem: { code: "range", params: { least: 0, most: MAX_FAULTS } }
  })
)

/** The failure to inject, and how many times it happens. Other members are reported as unknown. */
const Fail = Schema.StructWithRest(
  Schema.Struct({
    fail: describe(
      Choice(faultKinds),
      "The operation that will fail: `mail` (the mail server can't be reached), `webhook` (no destination can be reached), `provider` (no external provider can be reached) or `database` (a request gets 503)."
    ),
    times: describe(
      maybe(Times),
      "The number of failures in a row. Replaces any earlier number; 0 cancels the failures. Default: 1.",
      {
        minimum: 0,
        maximum: MAX_FAULTS,
        default: 1
      }
    )
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

/** Injected failures, in test mode. */
export class FaultsV2 extends HttpApiGroup.make("v2.test_faults")
  .add(
    HttpApiEndpoint.get("read", "/faults", { disableCodecs: true, success: FaultsBody }).annotate(
      RequiredLevel,
      "read"
    ),
    HttpApiEndpoint.post("fail", "/faults", {
      disableCodecs: true,
      payload: Fail,
      success: FaultsBody
    }).annotate(RequiredLevel, "admin_all_realms"),
    HttpApiEndpoint.delete("clear", "/faults", { disableCodecs: true }).annotate(RequiredLevel, "admin_all_realms")
  )
  .prefix("/v2/test")
  .annotateEndpoints(Resource, "faults")
  .middleware(AccountAccess)
  .middleware(ErrorResponses) {}
