import { beforeAll, expect, it } from 'vitest'
import { errorCodes } from '../../../../contract/errors.ts'
import { logRoutes } from '../../../../contract/publicLog.ts'
import type { Route } from '../../../../contract/route.ts'
import { routeGroups, routes } from '../../../../contract/routes.ts'
import { tilePath } from '../../../../contract/tlog/tiles.ts'
import { errorStatus } from '../../../../contract/errorStatus.ts'
import { errorCodesOf } from '../../../../server/platform/http/openApi.ts'
import { lintDescription } from '../../../support/lintDescription.ts'
import { withVenue } from '../../../support/withVenue.ts'

type Content = Record<string, { schema: Record<string, unknown> }>
type Response = { description: string; content?: Content; headers?: Record<string, { schema: object }> }
type Operation = {
  operationId?: string
  tags?: string[]
  parameters?: { in: string; name: string; required?: boolean; schema: { pattern?: string } }[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
}
type Description = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Record<string, unknown>> }
}

let text: string
let description: Description
const venue = await withVenue()
beforeAll(async () => {
  text = (await venue.app.inject({ url: '/api/openapi.json' })).body
  description = JSON.parse(text)
})

const table: [string, Route][] = Object.entries({ ...routes, ...logRoutes })
const operationOf = (route: Route): Operation => {
  const base = Object.values<Route>(logRoutes).includes(route) ? '/log' : '/api'
  const path = base + route.path.replaceAll(/:(\w+)/g, '{$1}')
  return description.paths[path]![route.method.toLowerCase()]!
}

it('passes the linter', async () => {
  expect(await lintDescription(text)).toEqual([])
})

it('has every route of the contract, under its name after a verb and its noun, and no other', () => {
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods))
  const nameOf = ({ operationId = '' }) =>
    operationId.replace(/^get./, (start) => start.slice(3).toLowerCase())
  expect(operations.map(nameOf).toSorted()).toEqual(table.map(([name]) => name).toSorted())
  const verbs =
    /^(get|export|view|register|login|logout|end|request|recover|complete|deny|begin|log|create|add|rename|remove|replace|patch|close|reset|subscribe|unsubscribe|place|bind|cancel|upload|submit|put|deposit|withdraw|read|write|report)([A-Z]|$)/
  for (const [, route] of table) expect(operationOf(route).operationId).toMatch(verbs)
  for (const [noun, group] of Object.entries({ ...routeGroups, log: logRoutes })) {
    for (const route of Object.values(group)) expect(operationOf(route).tags).toEqual([noun])
  }
})

it('has the key of a keyed route as a required header, and the member of a change as one that may be left out', () => {
  const keyed = table.filter(([, route]) => route.keyed)
  expect(keyed.length).toBeGreaterThan(5)
  for (const [, route] of table) {
    const headers = (operationOf(route).parameters ?? []).filter((parameter) => parameter.in === 'header')
    const names = headers.map(({ name, required }) => [name, required])
    const member = route.member && route.method !== 'GET' ? [['X-Member-Id', false]] : []
    expect(names).toEqual([...member, ...(route.keyed ? [['Idempotency-Key', true]] : [])])
  }
})

it('has every error code of a route under its status, with the error body', () => {
  const resolve = (schema: Record<string, unknown>): Record<string, unknown> => {
    const ref = schema['$ref']
    return typeof ref === 'string' ? description.components.schemas[ref.split('/').at(-1)!]! : schema
  }
  for (const [name, route] of table) {
    const { responses } = operationOf(route)
    const listed = Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, { content }]) => {
        const schema = resolve(content!['application/json']!.schema) as ErrorSchema
        const { code, requestId } = schema.properties.error.properties
        expect(requestId).toEqual({ type: 'string' })
        return code.enum.map((each) => `${status} ${each}`)
      })
    const expected = errorCodesOf(route).map((code) => `${errorStatus[code]} ${code}`)
    expect([name, listed.toSorted()]).toEqual([name, expected.toSorted()])
    expect(responses[route.status]).toBeDefined()
  }
})
type ErrorSchema = {
  properties: { error: { properties: { code: { enum: string[] }; requestId: object } } }
}

it('lists every code but those of the back office for some route', () => {
  const listed = new Set(table.flatMap(([, route]) => errorCodesOf(route)))
  expect(errorCodes.filter((code) => !listed.has(code))).toEqual([
    'FORBIDDEN',
    'SECOND_PERSON',
    'CLAIMED',
    'CLAIMS_LIMIT',
    'CONFLICT',
    'OPEN_FIRST',
    'REFERENCE_USED',
    'FREEZE_PROPOSED',
    'RECORDS_LIMIT',
  ])
})

it('types forms and files', () => {
  expect(Object.keys(operationOf(routes.upload).requestBody!.content)).toEqual(['multipart/form-data'])
  const media = ([routes.ordersCsv, routes.ledgerCsv, routes.recording, routes.viewUpload] as Route[]).map(
    (route) => Object.keys(operationOf(route).responses[200]!.content!),
  )
  expect(media).toEqual([['text/csv'], ['text/csv'], ['application/gzip'], ['image/*']])
  expect(operationOf(routes.logout).responses[204]!.content).toBeUndefined()
})

it('has the public log as text and bytes, with how long they may be stored', () => {
  const [checkpoint, tile] = [logRoutes.logCheckpoint, logRoutes.logTile].map((route) => {
    const { content, headers } = operationOf(route).responses[200]!
    return [content, headers!['Cache-Control']!.schema]
  })
  expect(checkpoint).toEqual([
    { 'text/plain': { schema: { type: 'string' } } },
    { type: 'string', const: 'public, max-age=1' },
  ])
  expect(tile).toEqual([
    { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    { type: 'string', const: 'public, max-age=3600' },
  ])
  const { parameters = [] } = operationOf(logRoutes.logTile)
  const [level, index] = parameters.map(({ schema }) => new RegExp(schema.pattern!))
  for (const tile of [
    { level: 0, index: 0, width: 256 },
    { level: 63, index: 1_234_067, width: 17 },
    { level: 'entries', index: 99_999, width: 255 },
  ] as const) {
    const [, name = '', ...rest] = tilePath(tile).split('/')
    expect([name, rest.join('/')]).toEqual([expect.stringMatching(level!), expect.stringMatching(index!)])
  }
})

it('describes a resource that several calls return once, and nothing that no call returns', () => {
  const names = Object.keys(description.components.schemas)
  expect(names).toEqual(expect.arrayContaining(['Order', 'Product', 'Withdrawal', 'Error.CSRF']))
  expect(names.filter((name) => !text.includes(`#/components/schemas/${name}"`))).toEqual([])
})
