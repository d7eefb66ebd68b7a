import type { FastifyReply, FastifyRequest } from "fastify"

/** A Fastify hook for `onRequest` or `preHandler`. */
export type FastifyHook = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
