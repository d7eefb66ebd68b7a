// app/orgs/[org]/route.js of an app on Next.js.
import { withSession } from "sallyport/client/next"

const options = { jwtKey: process.env.JWT_KEY, cookie: "session", orgParam: "org", permission: "billing:read" }

export const GET = withSession(options, (_request, { session, params }) =>
  Response.json({ email: session.user.email, org: params.org })
)
