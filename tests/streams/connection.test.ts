import { distinctUntilChanged, map } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createConnection, nextConnection, notConnected } from '../../streams/connection.ts'
import type { ConnectionEvent } from '../../streams/connection.ts'
import type { Connection } from '../../streams/index.ts'
import type { TransportEvent } from '../../streams/decode.ts'
import { marblesWith } from '../support/marbles.ts'

const online: Connection = { state: 'online', stale: false, lastHeartbeatAt: 5, attempt: 0 }
const transportLost: ConnectionEvent = { kind: 'down', reason: 'transport close', willRetry: true }

describe('the fold', () => {
  const table: [string, Connection, ConnectionEvent, Partial<Connection>][] = [
    ['connects at first', notConnected, { kind: 'connect' }, { state: 'connecting' }],
    [
      'is up',
      { ...notConnected, state: 'connecting', attempt: 3 },
      { kind: 'up' },
      { state: 'online', attempt: 0 },
    ],
    ['comes back after a cut', online, transportLost, { state: 'reconnecting', lastHeartbeatAt: 5 }],
    ['counts tries', { ...online, state: 'reconnecting' }, { kind: 'attempt', count: 4 }, { attempt: 4 }],
    [
      'is rejected',
      online,
      { kind: 'down', reason: 'rejected: no', willRetry: false },
      { state: 'rejected' },
    ],
    [
      'is sent away and returns',
      online,
      { kind: 'down', reason: 'io server disconnect', willRetry: false },
      { state: 'reconnecting' },
    ],
    ['closes', online, { kind: 'close' }, { state: 'idle' }],
    ['stays closed', notConnected, transportLost, { state: 'idle' }],
    ['reopens', online, { kind: 'connect' }, { state: 'reconnecting' }],
    ['is stale', online, { kind: 'stale', stale: true }, { stale: true }],
    ['is not stale while down', notConnected, { kind: 'stale', stale: true }, { stale: false }],
    ['a cut ends stale', { ...online, stale: true }, transportLost, { stale: false }],
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
const letter = ({ state, stale }: Connection): string => `${state}${stale ? ' stale' : ''}`

type Lines = { wire: string; feed?: string; answered?: string; owed?: string; wake?: string }

function draw(
  lines: Lines,
  until: string,
  expected: string,
  values: Record<string, string>,
  acts?: string[],
) {
  marblesWith(({ hot, expectObservable, flush }, scheduler) => {
    const done: string[] = []
    const connection = createConnection({
      wire: {
        connect: () => void done.push(`connect ${scheduler.now()}`),
        disconnect: () => void done.push(`disconnect ${scheduler.now()}`),
      },
      transport$: hot(lines.wire, transport),
      feed$: hot(lines.feed ?? '', { f: { at: 7 } }),
      answered$: hot(lines.answered ?? ''),
      heartbeatExpected$: hot(lines.owed ?? '(t)', { t: true, f: false }),
      resume$: hot(lines.wake ?? ''),
      scheduler,
    })
    expectObservable(connection.connection$.pipe(lettersOnly()), until).toBe(expected, values)
    flush()
    if (acts) expect(done).toEqual(acts)
  })
}
const lettersOnly = (): OperatorFunction<Connection, string> => (source$) =>
  source$.pipe(map(letter), distinctUntilChanged())

const names = { i: 'idle', o: 'online', s: 'online stale', r: 'reconnecting' }

describe('connection$', () => {
  it('is stale after 3 s without a heartbeat, and fresh with the next', () =>
    draw(
      {
        wire: '  -u',
        feed: '  -- 999ms f 3500ms f',
      },
      '          ^ 5000ms !',
      '          io 3999ms s 500ms o',
      names,
    ))

  it('owes no heartbeat to who watches nothing', () =>
    draw({ wire: '-u', owed: '(f)' }, '^ 20s !', 'io', names))

  it('opens anew when silence goes on, because a cut line looks alive', () =>
    draw({ wire: '-u' }, '^ 9500ms !', 'io 2999ms s 5999ms r', names, ['disconnect 9001', 'connect 9001']))

  it('trusts nothing after waking until the venue has answered', () =>
    draw(
      {
        wire: '    -u',
        wake: '    ---w',
        answered: '-----a',
      },
      '            ^--------!',
      '            io-s-o----',
      names,
    ))

  it('takes no heartbeat for an answer after waking: it may have waited for an hour', () =>
    draw(
      {
        wire: '    -u',
        feed: '    ----f-f',
        wake: '    ---w',
        answered: '-------a',
      },
      '            ^--------!',
      '            io-s---o--',
      names,
    ))

  it('returns by itself when the venue closed the socket, later each time', () =>
    draw({ wire: '-u-k 1999ms k' }, '^ 4500ms !', 'io-r', names, ['connect 1003', 'connect 4003']))
})
