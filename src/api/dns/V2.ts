import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { dnsFailures, MAX_RECORDS } from "#domain/DnsAnswer"
import { MAX_DNS_NAMES } from "#domain/DnsPlan"
import { AccountAccess, ErrorResponses, RequiredLevel, Resource } from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { Choice, maybe, Text } from "../Wire.ts"

/** The maximum length of a record, in characters. Longer answers exist only as the failure `too_large`. */
const MAX_LENGTH = 65_536

/** The DNS records that callers have set. */
export const DnsBody = Schema.Struct({
  object: objectType("dns"),
  records: describe(
    Schema.Array(
      Schema.Struct({
        name: describe(Schema.String, "The name, in lower case."),
        txt: describe(Schema.Array(Schema.String), "The TXT records."),
        failure: describe(
          Schema.NullOr(Schema.Literals(dnsFailures)),
          "The failure of looking up the name; null if it succeeds."
        )
      })
    ),
    "The names that were set. All other names do not exist."
  )
}).annotate({ identifier: "Dns", description: "The DNS records in test mode." })

/** The records of one name. Other members are reported as unknown. */
const SetRecords = Schema.StructWithRest(
  Schema.Struct({
    name: describe(
      Text(),
      `The name, such as \`_sallyport.example.com\`. At most ${MAX_DNS_NAMES.toLocaleString("en")} names can be set.`
    ),
    txt: describe(
      maybe(Schema.Array(Text(MAX_LENGTH))),
      `The TXT records, at most ${MAX_RECORDS}. They replace all earlier ones of the name. Default: none.`,
      { maxItems: MAX_RECORDS }
    ),
    failure: describe(maybe(Choice(dnsFailures)), "Makes looking up the name fail instead. Default: null.")
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

/** DNS, in test mode. */
export class DnsV2 extends HttpApiGroup.make("v2.test_dns")
  .add(
    HttpApiEndpoint.get("read", "/dns", { disableCodecs: true, success: DnsBody }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.put("set", "/dns", {
      disableCodecs: true,
      payload: SetRecords,
      success: DnsBody
    }).annotate(RequiredLevel, "admin_all_realms"),
    HttpApiEndpoint.delete("clear", "/dns", { disableCodecs: true }).annotate(RequiredLevel, "admin_all_realms")
  )
  .prefix("/v2/test")
  .annotateEndpoints(Resource, "dns")
  .middleware(AccountAccess)
  .middleware(ErrorResponses) {}
