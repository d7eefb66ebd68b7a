import { HttpApi } from "effect/http-api"
import { FaultsV2 } from "./V2.ts"

/** The failures that only a service in test mode has on demand. */
export class FaultsApi extends HttpApi.make("sallyport-faults")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .add(FaultsV2) {}
