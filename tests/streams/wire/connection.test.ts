import { distinctUntilChanged, map, type OperatorFunction } from 'rxjs'
import { describe, expect, it } from 'vitest'
import {
  createConnection,
  nextConnection,
  notConnected,
  type ConnectionEvent,
} from '../../../streams/wire/connection.ts'
import type { Connection } from '../../../streams/index.ts'
import type { TransportEvent } from '../../../streams/wire/decode.ts'
import { marblesWith } from '../../support/marbles.ts'

const online: Connection = { state: 'online', stale: false, lastHeartbeatAt: 5, attempt: 0 }
const transportLost: ConnectionEvent = { kind: 'down', reason: 'transport close', willRetry: true }

describe('nextConnection', () => {
  const table: [string, Connection, ConnectionEvent, Partial<Connection>][] = [
    ['starts connecting', notConnected, { kind: 'connect' }, { state: 'connecting' }],
    [
      'goes online',
      { ...notConnected, state: 'connecting', attempt: 3 },
      { kind: 'up' },
      { state: 'online', attempt: 0 },
    ],
    [
      'reconnects after a lost transport',
      online,
      transportLost,
      { state: 'reconnecting', lastHeartbeatAt: 5 },
    ],
    ['counts attempts', { ...online, state: 'reconnecting' }, { kind: 'attempt', count: 4 }, { attempt: 4 }],
    [
      'is rejected',
      online,
      { kind: 'down', reason: 'rejected: no', willRetry: false },
      { state: 'rejected' },
    ],
    [
      'reconnects after the venue closed the socket',
      online,
      { kind: 'down', reason: 'io server disconnect', willRetry: false },
      { state: 'reconnecting' },
    ],
    ['closes', online, { kind: 'close' }, { state: 'idle' }],
    ['stays closed', notConnected, transportLost, { state: 'idle' }],
    ['reopens', online, { kind: 'connect' }, { state: 'reconnecting' }],
    ['is stale', online, { kind: 'stale', stale: true }, { stale: true }],
    ['is not stale while down', notConnected, { kind: 'stale', stale: true }, { stale: false }],
    ['is not stale after a lost transport', { ...online, stale: true }, transportLost, { stale: false }],
    ['records a heartbeat', online, { kind: 'heartbeat', at: 9 }, { lastHeartbeatAt: 9 }],
  ]
  it.each(table)('%s', (_name, before, event, after) => {
    expect(nextConnection(before, event)).toMatchObject(after)
  })
})

const transport: Record<string, TransportEvent> = {
  u: { kind: 'up' },
  d: { kind: 'down', reason: 'transport close', willRetry: true },
  a: { kind: 'attempt', count: 1 },
  k: { kind: 'down', reason: 'io server disconnect', willRetry: false },
}
const nameOf = ({ state, stale }: Connection): string => `${state}${stale ? ' stale' : ''}`

type Lines = { wire: string; feed?: string; answered?: string; expected?: string; resume?: string }

function expectStates(
  lines: Lines,
  until: string,
  states: string,
  values: Record<string, string>,
  expectedCalls?: string[],
) {
  marblesWith(({ hot, expectObservable, flush }, scheduler) => {
    const calls: string[] = []
    const connection = createConnection({
      wire: {
        connect: () => void calls.push(`connect ${scheduler.now()}`),
        disconnect: () => void calls.push(`disconnect ${scheduler.now()}`),
      },
      transport$: hot(lines.wire, transport),
      feed$: hot(lines.feed ?? '', { f: { at: 7 } }),
      answered$: hot(lines.answered ?? ''),
      heartbeatExpected$: hot(lines.expected ?? '(t)', { t: true, f: false }),
      resume$: hot(lines.resume ?? ''),
      scheduler,
    })
    expectObservable(connection.connection$.pipe(toNames()), until).toBe(states, values)
    flush()
    if (expectedCalls) expect(calls).toEqual(expectedCalls)
  })
}
const toNames = (): OperatorFunction<Connection, string> => (source$) =>
  source$.pipe(map(nameOf), distinctUntilChanged())

const names = { i: 'idle', o: 'online', s: 'online stale', r: 'reconnecting' }

describe('connection$', () => {
  it('is stale after 3 s without a heartbeat, and fresh with the next', () =>
    expectStates(
      {
        wire: '  -u',
        feed: '  -- 999ms f 3500ms f',
      },
      '          ^ 5000ms !',
      '          io 3999ms s 500ms o',
      names,
    ))

  it('does not become stale if no heartbeat is expected', () =>
    expectStates({ wire: '-u', expected: '(f)' }, '^ 20s !', 'io', names))

  it('reconnects after continued silence, because a dead line looks alive', () =>
    expectStates({ wire: '-u' }, '^ 9500ms !', 'io 2999ms s 5999ms r', names, [
      'disconnect 9001',
      'connect 9001',
    ]))

  it('is stale after a resume until a call is answered', () =>
    expectStates(
      {
        wire: '    -u',
        resume: '  ---w',
        answered: '-----a',
      },
      '            ^--------!',
      '            io-s-o----',
      names,
    ))

  it('stays stale after a resume if only heartbeats arrive, because they may have been buffered', () =>
    expectStates(
      {
        wire: '    -u',
        feed: '    ----f-f',
        resume: '  ---w',
        answered: '-------a',
      },
      '            ^--------!',
      '            io-s---o--',
      names,
    ))

  it('reconnects after the venue closed the socket, with growing delays', () =>
    expectStates({ wire: '-u-k 1999ms k' }, '^ 4500ms !', 'io-r', names, ['connect 1003', 'connect 4003']))
})
