import type * as z from 'zod/mini'

type Schema = z.ZodMiniType
/** An `Idempotency-Key`: a UUID of any version. */
export const keyPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * One API call: what the client sends and what the venue answers. `member` marks calls that need a session, `keyed`
 * those that move money and carry an `Idempotency-Key`.
 */
export type Route = {
  method: Method
  /** Below the base `/api` (office: `/desk`, public log: `/log`), with `:name` for parameters. */
  path: string
  summary: string
  member?: true
  keyed?: true
  /** Refused while the member's account is frozen. */
  unlessFrozen?: true
  /** Expensive for the venue: a caller may have only a few such calls in flight (429 beyond). */
  costly?: true
  params?: Schema
  query?: Schema
  body?: Schema
  /** For a call that takes a `multipart/form-data` instead of JSON: its parts, for its description only. */
  form?: Schema
  /** The media type of an answer that is a file; default: JSON. */
  media?: string
  /** The `Cache-Control` of the answer; default: it is not stored. */
  cache?: string
  status: 200 | 201 | 202 | 204
  answer: Schema | null
}

/** Preserves the literal types of a route, so that body and answer of a call are typed. */
export const route = <const R extends Route>(definition: R): R => definition

type In<S> = S extends Schema ? z.input<S> : undefined
type Out<S> = S extends Schema ? z.output<S> : undefined

/** What a caller passes (before the venue's schema parses it). */
export type RouteInput<R extends Route> = {
  [K in 'params' | 'query' | 'body' as R[K] extends Schema ? K : never]: In<R[K]>
}
/** What the venue's handler receives (after its schema parsed it). */
export type RouteRequest<R extends Route> = {
  params: Out<R['params']>
  query: Out<R['query']>
  body: Out<R['body']>
}
/** What the venue's handler returns (before the schema checks it). */
export type RouteReply<R extends Route> = In<R['answer']>
/** What the caller receives (after its schema parsed it). */
export type RouteAnswer<R extends Route> = Out<R['answer']>
