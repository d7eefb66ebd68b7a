import { HttpApi } from "effect/http-api"
import { ClockV2 } from "./V2.ts"

/** What only a service in test mode answers. */
export class TestApi extends HttpApi.make("sallyport-test")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .add(ClockV2) {}
