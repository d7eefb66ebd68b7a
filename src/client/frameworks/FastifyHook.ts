import type { FastifyReply, FastifyRequest } from "fastify"

/** A hook of Fastify, for `onRequest` or `preHandler`. */
export type FastifyHook = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
