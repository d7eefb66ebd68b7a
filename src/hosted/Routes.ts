import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { Realms } from "#core/realms/Realms"
import type { Door } from "./Door.ts"
import { type LinkPage, MethodNotAllowed, pageOf } from "./Errors.ts"
import { formOf, fromOurPage, queryOf } from "./Form.ts"
import { readerOf } from "./PageContext.ts"
import { answer, unavailable } from "./PageResponse.ts"
import { invitation } from "./pages/invitation/AcceptInvitationPage.ts"
import { reset } from "./pages/reset/ResetPage.ts"
import { verification } from "./pages/verify/VerifyPage.ts"
import { appCalls, type PersonCall } from "./RequestShell.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The pages that links in mails lead to while a realm has no app of its own (decision 38). `publicUrl`: where they are. */
export const HostedRoutes = ({ publicUrl }: { readonly publicUrl: string }) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const realms = yield* Realms
      const { origin } = new URL(publicUrl)

      const { clientOf, within, counted } = yield* appCalls

      const entered = Effect.fnUntraced(function* (door: Door, call: PersonCall) {
        const { request, visit } = call
        if (request.method === "GET" || request.method === "HEAD") {
          const query = queryOf(request)
          return yield* door.show(visit, { token: query("token"), holder: undefined }, query)
        }
        if (request.method !== "POST") return yield* new MethodNotAllowed()
        yield* fromOurPage(request, origin)
        yield* counted(call)
        const form = yield* formOf(request)
        return yield* door.act(visit, { token: form("token"), holder: undefined }, form)
      })

      const visited = (request: Request, page: LinkPage, door: Door) => {
        const accepts = request.headers["accept-language"]
        const nobody = readerOf(accepts, undefined)
        return Effect.gen(function* () {
          const { realm_id: id = "" } = yield* HttpRouter.params
          const realm = yield* realms.find(id)
          const visit = readerOf(accepts, realm)
          const call = { request, visit, client: clientOf(request), known: [] }
          const shown = yield* within(call, entered(door, call)).pipe(
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
