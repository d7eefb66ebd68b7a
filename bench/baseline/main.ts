import { serve } from "./HttpServer.ts"
import { createSession, getSession } from "./Sessions.ts"
import { createUser, getUser, listUsers } from "./Users.ts"

// The baseline that runs the service's statements.
serve({ getSession, createSession, getUser, listUsers, createUser })
