import { HttpApi } from "effect/http-api"
import { ClockV2 } from "./V2.ts"

/** The endpoints that exist only in test mode. */
export class TestApi extends HttpApi.make("sallyport-test")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .add(ClockV2) {}
