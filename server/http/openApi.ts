import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { appVersion } from '../../contract/constants.ts'
import { article, message, serviceMessage } from '../../contract/content.ts'
import { deposit } from '../../contract/deposits.ts'
import { errorBody } from '../../contract/errors.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { fund, fundRecord } from '../../contract/fund.ts'
import { assets, ledgerEntry } from '../../contract/ledger.ts'
import { user } from '../../contract/member.ts'
import { order, terms } from '../../contract/orders.ts'
import {
  duration,
  gap,
  head,
  interruptedOutcomes,
  product,
  restTick,
  source,
} from '../../contract/products.ts'
import type { Route } from '../../contract/route.ts'
import { kindErrorsOf, ownErrors } from '../../contract/routeErrors.ts'
import { routeGroups, routes } from '../../contract/routes.ts'
import { withdrawal, withdrawalAccount } from '../../contract/withdrawals.ts'
import { errorStatus } from './errorStatus.ts'

/** An `Idempotency-Key`: a UUID of any version. */
export const keyPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** How a member's request authenticates. */
const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'sid' },
  token: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
} as const

/** The schemas that more than one call uses: they are described once. */
const shared = z.registry<{ id?: string | undefined }>()
const sharedSchemas = {
  Article: article,
  Assets: assets,
  Deposit: deposit,
  Duration: duration,
  Fund: fund,
  FundRecord: fundRecord,
  Gap: gap,
  Head: head,
  InterruptedOutcomes: interruptedOutcomes,
  LedgerEntry: ledgerEntry,
  Message: message,
  Order: order,
  Product: product,
  ServiceMessage: serviceMessage,
  Source: source,
  Terms: terms,
  Tick: restTick,
  User: user,
  Withdrawal: withdrawal,
  WithdrawalAccount: withdrawalAccount,
}
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

type RouteName = keyof typeof routes
const idOf = ({ method, path }: Route): string => `${method} ${path}`
const names = new Map(Object.entries(routes).map(([name, route]) => [idOf(route), name as RouteName]))
const tags = new Map(
  Object.entries(routeGroups).flatMap(([tag, group]) =>
    Object.values(group).map((route: Route) => [idOf(route), tag] as const),
  ),
)

/** Every error code that a route may return. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const name = names.get(idOf(route))
  return [...new Set([...kindErrorsOf(route), ...(name ? ownErrors[name] : [])])]
}

/** What OpenAPI states about a route apart from its parameters and its body. */
export function describeRoute(route: Route): FastifySchema {
  const name = names.get(idOf(route))
  const tag = tags.get(idOf(route))
  return {
    summary: route.summary,
    ...(name && { operationId: name }),
    ...(tag && { tags: [tag] }),
    ...(route.form && { consumes: ['multipart/form-data'] }),
    ...(route.member && { security: [{ session: [], ...(route.method !== 'GET' && { token: [] }) }] }),
    response: { ...errorAnswersOf(route), [route.status]: answerOf(route) },
  }
}

function answerOf({ status, answer, media = 'application/json' }: Route): object {
  if (status === 204) return z.null()
  const schema = media === 'application/json' && answer ? answer : z.file()
  return { description: 'Done', content: { [media]: { schema: media === 'text/csv' ? z.string() : schema } } }
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
const keyHeader = z.object({ 'Idempotency-Key': z.string().check(z.regex(keyPattern)) })

/** The description of the API. Headers and forms are checked by code of their own, so they are added only here. */
export const openApiOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Uptick venue', version: appVersion },
    tags: Object.keys(routeGroups).map((name) => ({ name })),
    components: { securitySchemes },
  },
  transform: (document) => {
    const { route } = document.route.config ?? {}
    const schema = {
      ...document.schema,
      ...(route?.keyed && { headers: keyHeader }),
      ...(route?.form && { body: route.form }),
    }
    return toJsonSchema({ ...document, schema })
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
