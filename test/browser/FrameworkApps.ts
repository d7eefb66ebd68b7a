import { createServer, type RequestListener } from "node:http"
import express from "express"
import * as onExpress from "#client/frameworks/Express"
import type { LoginOptions } from "#client/frameworks/login/LoginOptions"
import type { Session } from "#client/frameworks/Session"

/** A running app. */
export interface RunningApp {
  readonly close: () => Promise<unknown>
}

/** Runs an app of a framework at a port. Its pages are the same in every framework. */
export type RunApp = (port: number, options: LoginOptions) => Promise<RunningApp>

/** The page for everybody. */
const home = (session: Session | null | undefined): string =>
  session == null
    ? '<h1>Notebook</h1><p>Nobody is logged in.</p><a href="/notes?page=2">Notes</a>'
    : `<h1>Notebook</h1><p>Hello ${session.user.first_name}.</p><form method="post" action="/logout"><button>Log out</button></form>`

/** The page for users. */
const notes = (session: Session, page: unknown): string =>
  `<h1>Notes of ${session.user.first_name}</h1><p>Page ${page}.</p>`

const serve = async (listener: RequestListener, port: number): Promise<RunningApp> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return {
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    }
  }
}

const inExpress: RunApp = async (port, options) => {
  const login = onExpress.hostedLogin(options)
  await login.ready()
  const app = express()
    .use(login)
    .get("/", (request, response) => void response.send(home(request.session)))
    .get("/notes", onExpress.requireSession(), (request, response) => {
      response.send(notes(onExpress.sessionOf(request), request.query["page"]))
    })
    .post("/notes", onExpress.requireSession(), (_request, response) => void response.send("Written"))
  return serve(app, port)
}

/** The apps by framework. */
export const frameworkApps: Readonly<Record<string, RunApp>> = {
  Express: inExpress
}
