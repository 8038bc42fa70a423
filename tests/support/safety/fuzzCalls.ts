import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { Route } from '../../../contract/route.ts'
import { routes } from '../../../contract/routes.ts'
import type { BackOfficeVenue } from '../backOfficeVenue.ts'
import { backOfficeKey } from '../backOfficeVenue.ts'
import { seededRandom } from '../random.ts'
import { createFuzzPool } from './fuzzPool.ts'
import type { FuzzPool } from './fuzzPool.ts'
import { prepareMember } from './fuzzMember.ts'
import type { FuzzMember } from './fuzzMember.ts'
import { violationOf } from './answerCheck.ts'
import { fuzzedRequests } from './fuzzedRequests.ts'
import type { FuzzedRequest, NamedRoute } from './fuzzedRequests.ts'
import { watchMarketTables } from './tableChanges.ts'

export const memberCalls: readonly NamedRoute[] = Object.entries(routes as Record<string, Route>).map(
  ([name, route]) => ({ name, route, base: '/api' }),
)
export const backOfficeCalls: readonly NamedRoute[] = Object.entries(backOfficeRoutes).flatMap(
  ([noun, verbs]) =>
    Object.entries(verbs as Record<string, Route>).map(([verb, route]): NamedRoute => {
      return { name: `${noun}.${verb}`, route, base: '/desk' }
    }),
)
const calls = [...memberCalls, ...backOfficeCalls]

export type FuzzReport = {
  sent: number
  violations: string[]
  /** Tables of prices and rows of orders that changed while no time passed. */
  tampered: string[]
  /** How many answers of each status. */
  statuses: Map<number, number>
  /** Calls that never answered with what they are for. */
  neverSucceeded: string[]
}

/** A member is replaced after so many requests: what the fuzz did to the old one would refuse all that follows. */
const requestsPerMember = 250
/** What an answer named can be asked for after so many requests. */
const batchSize = 10

/** Sends requests made from the contract's schemas to a venue whose clock stands still, and judges each answer. */
export async function fuzzCalls(venue: BackOfficeVenue, count: number, seed: number): Promise<FuzzReport> {
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
        if (violation !== null) report.violations.push(describe(request, violation))
        if (status < 300) {
          succeeded.add(request.named.name)
          pool.addFromAnswer(nounOf(request.named.route.path), text)
        }
      },
    })
    report.tampered.push(...(await changes()))
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

/** Goes on with one member until so many requests are sent, or the session that they come with is gone. */
async function fuzzAs(
  venue: BackOfficeVenue,
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

/** Calls of one noun speak of the same ids: the first part of the path, or what follows it for the session's calls. */
const nounOf = (path: string): string =>
  path.split('/').findLast((part) => part.endsWith('-requests')) ?? path.split('/')[1] ?? ''

/** A changed method asks another call of the same address, or none. */
function routeOf({ named, method }: FuzzedRequest): Route | null {
  if (method === named.route.method) return named.route
  const { path } = named.route
  return (
    calls.find(({ base, route }) => base === named.base && route.path === path && route.method === method)
      ?.route ?? null
  )
}

/** Every request comes from an address of its own on this machine, so that the desk's count of failures starts anew. */
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
      ...(actor === 'desk' && { authorization: `Bearer ${backOfficeKey}`, 'desk-actor': 'fuzz' }),
      ...request.headers,
    },
    ...(payload !== undefined && { payload }),
  })
  const type = String(answer.headers['content-type'] ?? '')
  return { status: answer.statusCode, type, text: answer.body }
}

const describe = ({ method, path, actor, mutation, payload }: FuzzedRequest, violation: string): string =>
  `${method} ${path} as ${actor} (${mutation}) ${payload?.slice(0, 200) ?? ''}: ${violation}`
