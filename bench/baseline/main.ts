import { serve } from "./HttpServer.ts"
import { createSession, getSession } from "./Sessions.ts"
import { createUser, getUser, listUsers } from "./Users.ts"

// The baseline that runs the same statements as the service.
serve({ getSession, createSession, getUser, listUsers, createUser })
