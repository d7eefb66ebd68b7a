import { type Cause, Effect } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { Realms } from "#core/realms/Realms"
import { isDatabaseUnavailable } from "#core/Transaction"
import { CurrentRealm } from "#domain/Realm"
import { answer } from "./Answer.ts"
import type { Door } from "./Door.ts"
import { type LinkPage, MethodNotAllowed, pageOf } from "./Errors.ts"
import { formOf, fromOurPage, queryOf } from "./Form.ts"
import { invitation } from "./Invitation.ts"
import { troubled } from "./pages/Notice.ts"
import { type Reader, readerOf, type Visit } from "./Reader.ts"
import { reset } from "./Reset.ts"
import { verification } from "./Verification.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Without the database nothing is known of a visit but its language. */
const unavailable = (nobody: Reader, cause: Cause.Cause<never>) =>
  cause.reasons.some((reason) => reason._tag === "Die" && isDatabaseUnavailable(reason.defect))
    ? Effect.succeed(answer(nobody, troubled(nobody.texts, "unavailable", 503, 1)))
    : Effect.failCause(cause)

/** The pages that links in mails lead to while a realm has no app of its own (decision 38). `publicUrl`: where they are. */
export const HostedRoutes = ({ publicUrl }: { readonly publicUrl: string }) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const realms = yield* Realms
      const { origin } = new URL(publicUrl)

      const entered = Effect.fnUntraced(function* (request: Request, door: Door, visit: Visit) {
        if (request.method === "GET" || request.method === "HEAD") {
          const query = queryOf(request)
          return yield* door.show(visit, query("token"), query)
        }
        if (request.method !== "POST") return yield* new MethodNotAllowed()
        yield* fromOurPage(request, origin)
        const form = yield* formOf(request)
        return yield* door.act(visit, form("token"), form)
      })

      const visited = (request: Request, page: LinkPage, door: Door) => {
        const accepts = request.headers["accept-language"]
        const nobody = readerOf(accepts, undefined)
        return Effect.gen(function* () {
          const { realm_id: id = "" } = yield* HttpRouter.params
          const realm = yield* realms.find(id)
          const visit = readerOf(accepts, realm)
          const shown = yield* entered(request, door, visit).pipe(
            Effect.provideService(CurrentRealm, realm),
            Effect.catch((word) => Effect.succeed(pageOf(visit, page, word)))
          )
          return answer(visit, shown)
        }).pipe(
          Effect.catchTag("RealmNotFound", (word) => Effect.succeed(answer(nobody, pageOf(nobody, page, word)))),
          Effect.catchCause((cause) => unavailable(nobody, cause))
        )
      }

      const doors = { verify: yield* verification, reset: yield* reset, invitation: yield* invitation }
      for (const page of ["verify", "reset", "invitation"] as const) {
        yield* router.add("*", `/realms/:realm_id/${page}`, (request) => visited(request, page, doors[page]))
      }
    })
  )
