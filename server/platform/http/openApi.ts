import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { appVersion } from '../../../contract/constants.ts'
import { errorBody, type ErrorCode } from '../../../contract/errors.ts'
import { logRoutes } from '../../../contract/publicLog.ts'
import { keyPattern, type Route } from '../../../contract/route.ts'
import { kindErrorsOf, ownErrors } from '../../../contract/routeErrors.ts'
import { routeGroups, routes } from '../../../contract/routes.ts'
import { errorStatus } from '../../../contract/errorStatus.ts'
import { sharedSchemas } from './sharedSchemas.ts'

/** How a member's request authenticates. */
const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'sid' },
  token: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
} as const

/** Schemas that are described once, under their name. */
const shared = z.registry<{ id?: string | undefined }>()
for (const [id, schema] of Object.entries(sharedSchemas)) shared.add(schema, { id })

/** The body of an error with one of some codes. One code has a schema that all routes share. */
const errorSchemas = new Map<string, z.ZodMiniType>()
function errorSchemaOf(codes: readonly ErrorCode[]): z.ZodMiniType {
  const name = `Error.${codes.join('.')}`
  const known = errorSchemas.get(name)
  if (known) return known
  const schema = z.object({ error: z.object({ ...errorBody.shape.error.shape, code: z.enum(codes) }) })
  if (codes.length === 1) shared.add(schema, { id: name })
  errorSchemas.set(name, schema)
  return schema
}

const describedRoutes = { ...routes, ...logRoutes }
type RouteName = keyof typeof describedRoutes
const groups = { ...routeGroups, log: logRoutes }
const groupDescriptions: Readonly<Record<keyof typeof groups, string>> = {
  venue: 'The clock and the configuration',
  session: 'Registration, login and sessions',
  member: 'The member and the balances',
  ledger: 'Every movement of money',
  products: 'Products, ticks, candles, gaps and recordings',
  alerts: 'Prices at which members are notified, and notifications on their devices',
  orders: 'Timed orders and their proofs',
  deposits: 'Deposits',
  withdrawals: 'Withdrawals and the account they go to',
  uploads: 'Pictures',
  verification: 'Real-name verification',
  limits: 'Limits that members set for themselves',
  fund: 'The balance fund',
  content: 'News, pages, messages and customer service',
  log: 'The signed public log of all prices',
}

const idOf = ({ method, path }: Route): string => `${method} ${path}`
const names = new Map(
  Object.entries(describedRoutes).map(([name, route]) => [idOf(route), name as RouteName]),
)
const tags = new Map(
  Object.entries(groups).flatMap(([tag, group]) =>
    Object.values(group).map((route: Route) => [idOf(route), tag] as const),
  ),
)

/** Every error code that a route may return. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const name = names.get(idOf(route))
  return [...new Set([...kindErrorsOf(route), ...(name ? ownErrors[name] : [])])]
}

/** The route's name after a verb, as the method of a generated client: `getOrder`, `placeOrder`. */
const operationIdOf = (name: string, { method }: Route): string =>
  method !== 'GET' || /^(?:export|view)[A-Z]/.test(name)
    ? name
    : `get${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** What OpenAPI states about a route apart from its parameters and its body. */
export function describeRoute(route: Route): FastifySchema {
  const name = names.get(idOf(route))
  const tag = tags.get(idOf(route))
  return {
    summary: route.summary,
    ...(name && { operationId: operationIdOf(name, route) }),
    ...(tag && { tags: [tag] }),
    ...(route.form && { consumes: ['multipart/form-data'] }),
    ...(route.member && { security: [{ session: [], ...(route.method !== 'GET' && { token: [] }) }] }),
    response: { ...errorAnswersOf(route), [route.status]: answerOf(route) },
  }
}

function answerOf({ status, answer, media = 'application/json' }: Route): object {
  if (status === 204) return z.null()
  const schema = media === 'application/json' && answer ? answer : z.file()
  return {
    description: 'Done',
    content: { [media]: { schema: media.startsWith('text/') ? z.string() : schema } },
  }
}

function errorAnswersOf(route: Route): Record<number, object> {
  const codesByStatus: Record<number, ErrorCode[]> = {}
  for (const code of errorCodesOf(route)) (codesByStatus[errorStatus[code]] ??= []).push(code)
  const answers = Object.entries(codesByStatus).map(([status, codes]) => {
    const content = { 'application/json': { schema: errorSchemaOf(codes) } }
    return [status, { description: codes.join(', '), content }]
  })
  return Object.fromEntries(answers)
}

const toJsonSchema = createJsonSchemaTransform({ schemaRegistry: shared })
const withComponents = createJsonSchemaTransformObject({ schemaRegistry: shared })
const keyHeader = { 'Idempotency-Key': z.string().check(z.regex(keyPattern)) }
/** The member for whom a form was opened. */
const memberHeader = { 'X-Member-Id': z.optional(z.string()) }

function headersOf(route: Route): { headers?: z.ZodMiniType } {
  if (!route.member || route.method === 'GET') return {}
  return { headers: z.object({ ...memberHeader, ...(route.keyed && keyHeader) }) }
}

const lastParameter = /:\w+$/

/** The package does not describe headers of a response with a media type, so they are added to its output. */
function withCacheHeader(schema: FastifySchema, { status, cache }: Route): FastifySchema {
  if (cache === undefined) return schema
  const answers = schema.response as Record<number, object>
  const headers = { 'Cache-Control': { type: 'string', const: cache } }
  return { ...schema, response: { ...answers, [status]: { ...answers[status], headers } } }
}

/**
 * The description of the API. Headers and forms are checked by code of their own, and a path's rest is named `*`, so these
 * are described only here.
 */
export const openApiOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Uptick venue',
      version: appVersion,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(groupDescriptions).map(([name, description]) => ({ name, description })),
    components: { securitySchemes },
  },
  transform: (document) => {
    const { route } = document.route.config ?? {}
    const schema = {
      ...document.schema,
      ...(route?.params && { params: route.params }),
      ...(route && headersOf(route)),
      ...(route?.form && { body: route.form }),
    }
    const described = toJsonSchema({ ...document, schema })
    if (!route) return described
    const url = described.url.replace('*', lastParameter.exec(route.path)?.[0] ?? '*')
    return { url, schema: withCacheHeader(described.schema, route) }
  },
  transformObject: (document) => {
    const described = withComponents(document)
    if ('components' in described) {
      const { schemas = {} } = described.components ?? {}
      // The package adds a variant of each schema for bodies; ours are in answers only.
      for (const name of Object.keys(schemas)) if (name.endsWith('Input')) delete schemas[name]
    }
    return described
  },
}
