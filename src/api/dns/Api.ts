import { HttpApi } from "effect/http-api"
import { DnsV2 } from "./V2.ts"

/** The endpoints for setting DNS records. They exist only in test mode. */
export class DnsApi extends HttpApi.make("sallyport-dns")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .add(DnsV2) {}
