import { HttpApi } from "effect/http-api"
import { FaultsV2 } from "./V2.ts"

/** The endpoints for injecting failures. They exist only in test mode. */
export class FaultsApi extends HttpApi.make("sallyport-faults")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .add(FaultsV2) {}
