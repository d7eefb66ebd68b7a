import { serve } from "./HttpServer.ts"
import { logIn } from "./Logins.ts"
import { createSession, getSession } from "./Sessions.ts"
import { createUser, getUser, listUsers } from "./Users.ts"

// The bench's baseline: the fewest statements and indexes that give the same guarantees.
serve({ getSession, createSession, getUser, listUsers, createUser, logIn })
