import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { Route } from '../../../contract/route.ts'
import { routes } from '../../../contract/routes.ts'
import { seededRandom } from '../../support/random.ts'
import { createFuzzPool, type FuzzPool } from './fuzzPool.ts'
import { prepareMember, type FuzzMember } from './fuzzMember.ts'
import { violationOf } from './answerCheck.ts'
import { fuzzedRequests, type FuzzedRequest, type NamedRoute } from './fuzzedRequests.ts'
import { watchMarketTables } from './tableChanges.ts'
import type { TickingVenue } from '../../support/tickingVenue.ts'
import { deskKey } from '../../support/testVenue.ts'

export const memberCalls: readonly NamedRoute[] = Object.entries(routes as Record<string, Route>).map(
  ([name, route]) => ({ name, route, base: '/api' }),
)
export const officeCalls: readonly NamedRoute[] = Object.entries(officeRoutes).flatMap(([noun, verbs]) =>
  Object.entries(verbs as Record<string, Route>).map(([verb, route]): NamedRoute => {
    return { name: `${noun}.${verb}`, route, base: '/desk' }
  }),
)
const calls = [...memberCalls, ...officeCalls]

export type FuzzReport = {
  sent: number
  violations: string[]
  /** Tables of prices and rows of orders that changed although no time passed. */
  tampered: string[]
  /** Number of answers by status. */
  statuses: Map<number, number>
  /** Routes that never succeeded. */
  neverSucceeded: string[]
}

/** A member is replaced after this many requests: after what the fuzzer did to the old one, most requests would fail. */
const requestsPerMember = 250
/** Ids from answers are used after this many requests. */
const batchSize = 10

/** Sends requests generated from the contract's schemas to a venue whose clock is stopped, and checks each answer. */
export async function fuzzCalls(venue: TickingVenue, count: number, seed: number): Promise<FuzzReport> {
  const random = seededRandom(seed)
  const pool = createFuzzPool(venue.clock)
  const anyRequest = fuzzedRequests(
    calls,
    (named) => (field) => pool.arbitraryOf(nounOf(named.route.path), field),
  )
  const report: FuzzReport = {
    sent: 0,
    violations: [],
    tampered: [],
    statuses: new Map(),
    neverSucceeded: [],
  }
  const succeeded = new Set<string>()
  while (report.sent < count) {
    const member = await prepareMember(venue, pool, random.next())
    const changes = await watchMarketTables(venue.database)
    await fuzzAs(venue, member, anyRequest, {
      count: Math.min(requestsPerMember, count - report.sent),
      random,
      pool,
      onAnswer: (request, answer) => {
        const { status, text } = answer
        report.sent += 1
        report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1)
        const violation = violationOf(routeOf(request), answer)
        if (violation !== null) report.violations.push(`seed ${seed}: ${describe(request, violation)}`)
        if (status < 300) {
          succeeded.add(request.named.name)
          pool.addFromAnswer(nounOf(request.named.route.path), text)
        }
      },
    })
    report.tampered.push(...(await changes()).map((name) => `seed ${seed}: ${name} changed`))
  }
  report.neverSucceeded = calls.map(({ name }) => name).filter((name) => !succeeded.has(name))
  return report
}

type FuzzAnswer = Awaited<ReturnType<typeof send>>
type Run = {
  count: number
  random: { next(): number }
  pool: FuzzPool
  onAnswer: (request: FuzzedRequest, answer: FuzzAnswer) => void
}

/** Sends requests for one member until the count is reached or the member's session has ended. */
async function fuzzAs(
  venue: TickingVenue,
  member: FuzzMember,
  anyRequest: fc.Arbitrary<FuzzedRequest>,
  { count, random, onAnswer }: Run,
): Promise<void> {
  for (let sent = 0; sent < count;) {
    const seed = Math.floor(random.next() * 2 ** 31)
    for (const request of fc.sample(anyRequest, { numRuns: Math.min(batchSize, count - sent), seed })) {
      const answer = await send(venue.app, member, request, random)
      onAnswer(request, answer)
      sent += 1
      const sessionLost = answer.status === 401 && request.actor === 'member' && request.named.base === '/api'
      if (sessionLost && !request.mutation.startsWith('header')) return
    }
  }
}

/** Routes of one noun share ids: the first part of the path, or a later `…-requests`. */
const nounOf = (path: string): string =>
  path.split('/').findLast((part) => part.endsWith('-requests')) ?? path.split('/')[1] ?? ''

/** With a changed method the request is for another route of the same path, or for none. */
function routeOf({ named, method }: FuzzedRequest): Route | null {
  if (method === named.route.method) return named.route
  const { path } = named.route
  return (
    calls.find(({ base, route }) => base === named.base && route.path === path && route.method === method)
      ?.route ?? null
  )
}

/** Each request has its own loopback address, so that the office never counts repeated failures. */
async function send(
  app: FastifyInstance,
  member: FuzzMember,
  request: FuzzedRequest,
  random: { next(): number },
) {
  const { method, path, payload, actor } = request
  const key = crypto.randomUUID()
  const session = { cookie: `sid=${member.sid}`, 'x-csrf-token': member.token, 'idempotency-key': key }
  const part = (): number => Math.floor(random.next() * 254) + 1
  const answer = await app.inject({
    method: method as 'GET',
    url: path,
    remoteAddress: `127.${part()}.${part()}.${part()}`,
    headers: {
      ...(actor === 'member' && session),
      ...(actor === 'desk' && { authorization: `Bearer ${deskKey}`, 'desk-actor': 'fuzz' }),
      ...request.headers,
    },
    ...(payload !== undefined && { payload }),
  })
  const type = String(answer.headers['content-type'] ?? '')
  return { status: answer.statusCode, type, text: answer.body }
}

const describe = ({ method, path, actor, mutation, payload }: FuzzedRequest, violation: string): string =>
  `${method} ${path} as ${actor} (${mutation}) ${payload?.slice(0, 200) ?? ''}: ${violation}`
