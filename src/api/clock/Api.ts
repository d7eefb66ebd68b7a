import { HttpApi } from "effect/http-api"
import { ClockV2 } from "./V2.ts"

/** The endpoints that only a service in test mode has. */
export class TestApi extends HttpApi.make("sallyport-test")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .add(ClockV2) {}
