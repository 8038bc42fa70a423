import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { errorCodes } from '../../../contract/errors.ts'
import type { Route } from '../../../contract/route.ts'
import { routeGroups, routes } from '../../../contract/routes.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { errorStatus } from '../../../server/http/errorStatus.ts'
import { errorCodesOf } from '../../../server/http/openApi.ts'
import { openTestVenue } from '../../support/testVenue.ts'
import type { TestVenue } from '../../support/testVenue.ts'

type Content = Record<string, { schema: Record<string, unknown> }>
type Operation = {
  operationId?: string
  tags?: string[]
  parameters?: { in: string; name: string; required?: boolean }[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}
type Description = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Record<string, unknown>> }
}

let database: Database
let venue: TestVenue
let text: string
let description: Description
beforeAll(async () => {
  database = await openMemoryDatabase()
  venue = await openTestVenue(database)
  text = (await venue.app.inject({ url: '/api/openapi.json' })).body
  description = JSON.parse(text)
})
afterAll(async () => {
  await venue.close()
  await database.close()
})

const table: [string, Route][] = Object.entries(routes)
const operationOf = ({ method, path }: Route): Operation =>
  description.paths[`/api${path.replaceAll(/:(\w+)/g, '{$1}')}`]![method.toLowerCase()]!

it('is a valid OpenAPI document', async () => {
  expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true })
})

it('has every route of the contract, under its name and noun, and no other', () => {
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods))
  expect(operations.map(({ operationId = '' }) => operationId).toSorted()).toEqual(
    Object.keys(routes).toSorted(),
  )
  for (const [noun, group] of Object.entries(routeGroups)) {
    for (const route of Object.values(group)) expect(operationOf(route).tags).toEqual([noun])
  }
})

it('has the key of a keyed route as a required header', () => {
  const keyed = table.filter(([, route]) => route.keyed)
  expect(keyed.length).toBeGreaterThan(5)
  for (const [, route] of table) {
    const headers = (operationOf(route).parameters ?? []).filter((parameter) => parameter.in === 'header')
    const names = headers.map(({ name, required }) => [name, required])
    expect(names).toEqual(route.keyed ? [['Idempotency-Key', true]] : [])
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
  expect(errorCodes.filter((code) => !listed.has(code))).toEqual(['FORBIDDEN', 'CONFLICT'])
})

it('types forms and files', () => {
  expect(Object.keys(operationOf(routes.upload).requestBody!.content)).toEqual(['multipart/form-data'])
  const media = ([routes.ordersCsv, routes.ledgerCsv, routes.recording, routes.viewUpload] as Route[]).map(
    (route) => Object.keys(operationOf(route).responses[200]!.content!),
  )
  expect(media).toEqual([['text/csv'], ['text/csv'], ['application/gzip'], ['image/*']])
  expect(operationOf(routes.logout).responses[204]!.content).toBeUndefined()
})

it('describes a resource that several calls return once, and nothing that no call returns', () => {
  const names = Object.keys(description.components.schemas)
  expect(names).toEqual(expect.arrayContaining(['Order', 'Product', 'Withdrawal', 'Error.CSRF']))
  expect(names.filter((name) => !text.includes(`#/components/schemas/${name}"`))).toEqual([])
})
