import fc from 'fast-check'
import type { Route } from '../../../contract/route.ts'
import { oddValues } from './attacks.ts'
import { fromSchema, type KnownValues } from './fromSchema.ts'

export type Actor = 'anonymous' | 'member' | 'desk'
export type NamedRoute = { name: string; route: Route; base: '/api' | '/desk' }
/** A request as it is sent: generated from a schema, as is or with item mutation. */
export type FuzzedRequest = {
  named: NamedRoute
  actor: Actor
  method: string
  path: string
  headers: Record<string, string>
  payload: string | undefined
  mutation: string
}
type Parts = {
  method: string
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  headers: Record<string, string>
  raw?: string
}
type Mutation = readonly [name: string, arbitrary: (parts: Parts) => fc.Arbitrary<Parts>]

const oddValue = fc.constantFrom(...oddValues)
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const namesOf = (value: unknown): string[] => (isRecord(value) ? Object.keys(value) : [])
const bodyOf = ({ body }: Parts): Record<string, unknown> => (isRecord(body) ? body : {})

const headerMutation = (name: string, ...values: string[]): Mutation => [
  `header ${name}`,
  (parts) =>
    fc.constantFrom(...values).map((value) => ({ ...parts, headers: { ...parts.headers, [name]: value } })),
]
/** One field with an odd value, item field missing, item field too many. */
const fieldMutations = (part: 'query' | 'body'): Mutation[] => {
  const read = (parts: Parts) => (part === 'body' ? bodyOf(parts) : parts.query)
  const chooseField = (parts: Parts) => fc.constantFrom(...namesOf(read(parts)), 'zz')
  return [
    [
      `${part}: odd value`,
      (parts) =>
        fc.tuple(chooseField(parts), oddValue).map(([name, value]) => ({
          ...parts,
          [part]: { ...read(parts), [name]: value },
        })),
    ],
    [
      `${part}: field left out`,
      (parts) =>
        chooseField(parts).map((name) => ({
          ...parts,
          [part]: Object.fromEntries(Object.entries(read(parts)).filter(([key]) => key !== name)),
        })),
    ],
    [
      `${part}: extra field`,
      (parts) => oddValue.map((value) => ({ ...parts, [part]: { ...read(parts), extra: value } })),
    ],
  ]
}
const malformedBody = (name: string, ...raws: string[]): Mutation => [
  name,
  (parts) => fc.constantFrom(...raws).map((raw) => ({ ...parts, raw })),
]

const mutations: readonly Mutation[] = [
  ['none', (parts) => fc.constant(parts)],
  ...fieldMutations('body'),
  ...fieldMutations('query'),
  ['body: other value', (parts) => oddValue.map((body) => ({ ...parts, body }))],
  ['body: none', (parts) => fc.constant({ ...parts, body: undefined })],
  [
    'params: odd value',
    (parts) =>
      oddValue.map((value) => ({
        ...parts,
        params: Object.fromEntries(Object.keys(parts.params).map((name) => [name, value])),
      })),
  ],
  malformedBody(
    'body: broken JSON',
    '{',
    '{"a":}',
    '[1,',
    '"',
    'nul',
    '\u0000',
    '{"a":1}{"b":2}',
    '<xml/>',
    'a=1&b=2',
  ),
  malformedBody(
    'body: deep',
    '['.repeat(2000) + ']'.repeat(2000),
    `${'{"a":'.repeat(900)}1${'}'.repeat(900)}`,
  ),
  malformedBody('body: large', `{"a":"${'x'.repeat(70_000)}"}`, `{"a":"${'x'.repeat(300_000)}"}`),
  malformedBody(
    'body: twice',
    '{"amount":"1.00","amount":"9.00"}',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":1}}',
  ),
  headerMutation(
    'content-type',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'x',
    'application/json; charset=utf-7',
  ),
  headerMutation('idempotency-key', '', 'x', '../', 'x'.repeat(4000), '00000000-0000-0000-0000-000000000000'),
  headerMutation('x-csrf-token', '', 'x', 'x'.repeat(4000)),
  headerMutation(
    'cookie',
    '',
    'sid',
    'sid=',
    'sid=%00',
    `sid=${'x'.repeat(6000)}`,
    'sid="; sid=a; a=b',
    '__Host-sid=x',
  ),
  headerMutation('authorization', '', 'Bearer', 'Bearer x', 'Basic eDp5', 'x'.repeat(4000)),
  headerMutation('origin', 'https://elsewhere.test', 'null', 'x', ''),
  headerMutation('desk-actor', '%', '%00', 'x'.repeat(400), '%F0%9F%92%A5'),
  headerMutation('x-forwarded-for', '1.2.3.4', 'x', '::1', '1.2.3.4, 5.6.7.8'),
  headerMutation('accept-encoding', 'x', 'gzip;q=9'),
  [
    'method',
    (parts) =>
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE').map((method) => ({ ...parts, method })),
  ],
]

/** Requests to every route, each about as often; a third of them are valid by their schemas. */
export function fuzzedRequests(
  calls: readonly NamedRoute[],
  known: (named: NamedRoute) => KnownValues,
): fc.Arbitrary<FuzzedRequest> {
  return fc.oneof(...calls.map((named) => requestOf(named, known(named))))
}

function requestOf(named: NamedRoute, known: KnownValues): fc.Arbitrary<FuzzedRequest> {
  const { route } = named
  const part = (schema: Route['body']): fc.Arbitrary<unknown> =>
    schema ? fromSchema(schema, known) : fc.constant(undefined)
  const actor: fc.Arbitrary<Actor> =
    named.base === '/desk'
      ? fc.constantFrom('desk', 'desk', 'desk', 'desk', 'desk', 'desk', 'member', 'anonymous')
      : fc.constantFrom('member', 'member', 'member', 'member', 'member', 'member', 'anonymous', 'desk')
  const parts = fc
    .tuple(part(route.params), part(route.query), part(route.body))
    .map(([params, query, body]): Parts => ({
      method: route.method,
      params: isRecord(params) ? params : {},
      query: isRecord(query) ? query : {},
      body,
      headers: {},
    }))
  const mutation = fc.oneof(
    { weight: mutations.length / 2, arbitrary: fc.constant(mutations[0] as Mutation) },
    { weight: mutations.length, arbitrary: fc.constantFrom(...mutations) },
  )
  return fc
    .tuple(parts, mutation, actor)
    .chain(([valid, [name, mutate], sender]) =>
      mutate(valid).map((mutated) => toRequest(named, sender, mutated, name)),
    )
}

/** Serialises the parts; texts that a URL cannot contain are escaped. */
function toRequest(named: NamedRoute, actor: Actor, parts: Parts, mutation: string): FuzzedRequest {
  const text = (value: unknown): string =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString()
  const path = named.route.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(text(parts.params[name] ?? 'none')),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parts.query)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) search.append(name, text(item))
  }
  const tail = search.size > 0 ? `?${search}` : ''
  const json = parts.body === undefined ? undefined : JSON.stringify(parts.body)
  const payload = parts.method === 'GET' ? undefined : (parts.raw ?? json)
  const headers = { ...(payload !== undefined && { 'content-type': 'application/json' }), ...parts.headers }
  return {
    named,
    actor,
    method: parts.method,
    path: `${named.base}${path}${tail}`,
    headers,
    payload,
    mutation,
  }
}
