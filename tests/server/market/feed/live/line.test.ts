import { describe, expect, it } from 'vitest'
import { binance } from '../../../../../server/market/feed/live/binance.ts'
import { Exchange } from '../../../../../server/market/feed/live/exchange.ts'
import { kraken } from '../../../../../server/market/feed/live/kraken.ts'
import { oanda } from '../../../../../server/market/feed/live/oanda.ts'
import { Lag } from '../../../../../server/market/feed/live/lag.ts'
import { OwnDelay } from '../../../../../server/market/feed/live/ownDelay.ts'
import { Line } from '../../../../../server/market/feed/live/line.ts'
import type { LogLevel, LogLine } from '../../../../../server/platform/ports.ts'
import type { ConnectionHandlers, Transport } from '../../../../../server/market/feed/live/transport.ts'
import { hourMs } from '../../../../../contract/time.ts'
import { manualClock } from '../../../../support/manualClock.ts'
import { seededRandom } from '../../../../support/random.ts'

const protocol = binance(null)
const product = {
  id: 'P',
  symbol: 'BTCUSDT',
  priceDecimals: 2,
  sizeDecimals: 8,
  tradingHoursAt: () => ({ open: true, opensAt: null, closesAt: null }),
}
/** The largest part of every wait. */
const greatest = { ...seededRandom(1), bytes: (length: number) => new Uint8Array(length).fill(255) }

/** A network whose connections the test writes to and ends; they open at once by default. */
function network(clock: ReturnType<typeof manualClock>, opens = true) {
  const connections: {
    at: number
    handlers: ConnectionHandlers
    sent: string[]
    pings: number
    isClosed: boolean
  }[] = []
  const transport: Transport = {
    socket: (_address, _headers, handlers) => {
      const connection = { at: clock.now(), handlers, sent: [] as string[], pings: 0, isClosed: false }
      connections.push(connection)
      if (opens) clock.at(clock.now() + 10, () => handlers.opened())
      return {
        send: (text) => void connection.sent.push(text),
        ping: () => void connection.pings++,
        close: () => void (connection.isClosed = true),
      }
    },
    stream: () => {
      throw new Error('not used')
    },
    get: () => Promise.reject(new Error('no calls')),
  }
  return { connections, transport }
}

function openLine(opens = true, random = greatest) {
  const clock = manualClock()
  const { connections, transport } = network(clock, opens)
  const ends: string[] = []
  const line = new Line(
    {
      clock,
      random,
      transport,
      protocol,
      symbols: () => ['BTCUSDT'],
      nextConnectAt: () => clock.now(),
      bannedUntil: () => 0,
    },
    {
      opened: () => undefined,
      message: () => undefined,
      lost: (why) => ends.push(why),
      renewed: () => ends.push('renewed'),
    },
  )
  line.start()
  return { clock, connections, line, ends }
}

describe('a line', () => {
  it('waits 1, 2, 4 … 30 seconds between attempts that fail', async () => {
    const { clock, connections } = openLine(false)
    await clock.advance(0)
    const waits: number[] = []
    for (let i = 0; i < 8; i++) {
      const failedAt = clock.now()
      connections.at(-1)!.handlers.closed('refused')
      for (const count = connections.length; connections.length === count;) await clock.advance(100)
      waits.push(connections.at(-1)!.at - failedAt)
    }
    expect(waits.map((wait) => Math.round(wait / 1000))).toEqual([1, 2, 4, 8, 16, 30, 30, 30])
  })

  it('waits a random part of that time', async () => {
    const half = { ...greatest, bytes: (length: number) => new Uint8Array(length).fill(128) }
    const { clock, connections } = openLine(false, half)
    await clock.advance(0)
    const failedAt = clock.now()
    connections[0]!.handlers.closed('refused')
    await clock.advance(1000)
    expect(connections[1]!.at - failedAt).toBe(501)
  })

  it('begins at one second again after a connection that lasted', async () => {
    const { clock, connections } = openLine()
    await clock.advance(20)
    const pong = (): void => connections.at(-1)!.handlers.ponged()
    for (let i = 0; i < 3; i++) {
      connections.at(-1)!.handlers.closed('cut')
      await clock.advance(5000)
    }
    for (let i = 0; i < 14; i++) {
      await clock.advance(2500)
      pong()
      connections.at(-1)!.handlers.message('x')
    }
    expect(connections).toHaveLength(5)
  })

  it('pings each second, and ends a connection on which nothing arrives', async () => {
    const { clock, connections, ends } = openLine()
    await clock.advance(3005)
    expect(connections[0]!.pings).toBe(3)
    await clock.advance(2000)
    expect(ends).toEqual(['silent'])
    expect(connections[0]!.isClosed).toBe(true)
  })

  it('sends at most five messages a second, pings included', async () => {
    const clock = manualClock()
    const sentAt: number[] = []
    const transport: Transport = {
      ...network(clock).transport,
      socket: (_address, _headers, handlers) => {
        clock.at(clock.now() + 10, () => handlers.opened())
        const send = (): void => {
          sentAt.push(clock.now())
          handlers.message('{}')
        }
        return { send, ping: send, close: () => undefined }
      },
    }
    const symbols = Array.from({ length: 512 }, (_, i) => `S${i}`)
    const parts = {
      clock,
      random: greatest,
      transport,
      protocol,
      symbols: () => symbols,
      nextConnectAt: () => clock.now(),
      bannedUntil: () => 0,
    }
    const line: Line = new Line(parts, {
      opened: () => line.send(protocol.subscribe(symbols, 1).map(({ text }) => text)),
      message: () => undefined,
      lost: () => undefined,
      renewed: () => undefined,
    })
    line.start()
    await clock.advance(10_000)
    const most = Math.max(
      ...sentAt.map((from) => sentAt.filter((at) => at >= from && at < from + 1000).length),
    )
    expect(sentAt.length).toBeGreaterThan(14)
    expect(most).toBeLessThanOrEqual(5)
  })

  it('does not take a pause of the process for silence', async () => {
    const { clock, connections, line, ends } = openLine()
    await clock.advance(1500)
    clock.leap(20_000)
    await clock.advance(0)
    connections[0]!.handlers.ponged()
    line.recordContent()
    await clock.advance(1500)
    expect(ends).toEqual([])
  })

  it('ignores what an earlier connection still reports', async () => {
    const { clock, connections, line, ends } = openLine()
    await clock.advance(20)
    line.renew('by a test')
    await clock.advance(20)
    connections[0]!.handlers.closed('closed')
    connections[0]!.handlers.opened()
    expect(ends).toEqual(['renewed'])
    expect(connections).toHaveLength(2)
  })

  it('does nothing more once it is closed', async () => {
    const { clock, connections, line } = openLine()
    await clock.advance(20)
    line.close()
    connections[0]!.handlers.closed('closed')
    await clock.advance(60_000)
    expect(connections).toHaveLength(1)
    expect(clock.pending()).toBe(0)
  })
})

describe('the lines of an exchange', () => {
  it('connect at most 300 times in five minutes, however many there are', async () => {
    const clock = manualClock()
    const { connections, transport } = network(clock, false)
    const exchange = new Exchange({ ...protocol, symbolsPerLine: 1 }, transport, {
      clock,
      random: greatest,
      logLine: () => undefined,
    })
    for (let i = 0; i < 300; i++) exchange.add({ ...product, id: `P${i}`, symbol: `S${i}` })
    exchange.start()
    await clock.advance(300_000)
    expect(connections.length).toBeGreaterThan(250)
    expect(connections.length).toBeLessThanOrEqual(300)
    exchange.close()
  })

  it.each([
    ['a connection that closes', 'warn', 'binance: connection lost, closed, 1 so far', 'closed'],
    [
      'a message that cannot be read',
      'warn',
      'binance: message cannot be read, no JSON, 1 so far',
      'no JSON',
    ],
    [
      'a rejected subscription',
      'error',
      'binance: subscription rejected: BTCUSDT: {"code":2,"msg":"Invalid"}; it is tried again now and then',
      '{"id":1,"error":{"code":2,"msg":"Invalid"}}',
    ],
  ])('log %s at the level %s', async (_name, level, text, said) => {
    const clock = manualClock()
    const { connections, transport } = network(clock)
    const lines: [LogLevel, string][] = []
    const logLine: LogLine = (...line) => void lines.push(line)
    const exchange = new Exchange(protocol, transport, { clock, random: greatest, logLine })
    exchange.add(product)
    exchange.start()
    await clock.advance(20)
    const { handlers } = connections[0]!
    if (said === 'closed') handlers.closed(said)
    else handlers.message(said)
    expect(lines).toEqual([[level, text]])
    exchange.close()
  })

  it('log a state of the exchange once, and its end', async () => {
    const clock = manualClock()
    const { connections, transport } = network(clock)
    const lines: string[] = []
    const logLine: LogLine = (level, what) => void lines.push(`${level}: ${what}`)
    const exchange = new Exchange(kraken(null), transport, { clock, random: greatest, logLine })
    exchange.add({ ...product, symbol: 'BTC/USD' })
    exchange.start()
    await clock.advance(2000)
    const say = (system: string): void => {
      for (const { handlers } of connections)
        handlers.message(`{"channel":"status","type":"update","data":[{"system":"${system}"}]}`)
    }
    for (const system of ['online', 'maintenance', 'maintenance', 'online']) say(system)
    expect(lines).toEqual(['warn: kraken says: maintenance', 'info: kraken says: online'])
    exchange.close()
  })

  it('are renewed before the 24 hours are over, one while the other one delivers', async () => {
    const clock = manualClock()
    const { connections, transport } = network(clock)
    const lines: string[] = []
    const logLine: LogLine = (level, what) => void lines.push(`${level}: ${what}`)
    const exchange = new Exchange(protocol, transport, { clock, random: greatest, logLine })
    const { coverage } = exchange.add(product)
    exchange.start()
    const deliver = (): void => {
      for (const { handlers, isClosed } of connections) {
        if (isClosed) continue
        handlers.message('{"result":null,"id":1}')
        handlers.message('{"stream":"btcusdt@bookTicker","data":{"u":1}}')
      }
      clock.at(clock.now() + 900, deliver)
    }
    deliver()
    const startAt = clock.now()
    await clock.advance(24 * hourMs)
    const renewed = connections.slice(2).map(({ at }) => Math.round(((at - startAt) / hourMs) * 10) / 10)
    expect(renewed).toEqual([11.5, 23])
    expect(coverage.read(clock.now()).gaps).toHaveLength(1)
    const line = 'info: binance: connection renewed before the exchange ends it'
    expect(lines.filter((each) => each.includes('connection'))).toEqual([line, line])
    exchange.close()
  })
})

describe('an answer to a call', () => {
  it('says nothing about a message that arrived while the call was under way', async () => {
    const clock = manualClock()
    const handlers: ConnectionHandlers[] = []
    const answers: ((text: string) => void)[] = []
    const transport: Transport = {
      ...network(clock).transport,
      stream: (_address, _headers, each) => {
        handlers.push(each)
        clock.at(clock.now() + 10, () => each.opened())
        return { send: () => undefined, ping: () => undefined, close: () => undefined }
      },
      get: () => new Promise((resolve) => answers.push(resolve)),
    }
    const exchange = new Exchange(oanda(null, 't', '101-1'), transport, {
      clock,
      random: greatest,
      logLine: () => undefined,
    })
    const { coverage } = exchange.add({ ...product, symbol: 'EUR_USD' })
    exchange.start()
    await clock.advance(20)
    const say = (text: string): void => handlers[0]!.message(text)
    const quote = `{"type":"PRICE","time":"${new Date(clock.now()).toISOString()}","bids":[{"price":"1.10"}],"asks":[{"price":"1.12"}],"instrument":"EUR_USD"}`
    const covered = (): number => {
      say('{"type":"HEARTBEAT"}')
      return clock.now() - coverage.read(clock.now()).coveredUntil
    }
    say(quote)
    await clock.advance(1000)
    expect(answers).toHaveLength(1)
    expect(covered()).toBe(0)
    say('no JSON')
    await clock.advance(100)
    answers[0]!(`{"prices":[${quote}]}`)
    await clock.advance(100)
    expect(covered()).toBe(200)
    await clock.advance(1000)
    answers[1]!(`{"prices":[${quote}]}`)
    await clock.advance(100)
    expect(covered()).toBe(0)
    exchange.close()
  })
})

describe('the lag of a symbol on a line', () => {
  it('is compared with its own smallest one, whatever the two clocks show', () => {
    for (const skew of [-5000, 0, 5000]) {
      const lag = new Lag()
      for (let t = 0; t <= 6000; t += 1000) expect(lag.judge(t + skew, t + 50)).toBe('on time')
      expect(lag.judge(7000 + skew, 8051)).toBe('late')
      expect(lag.judge(9000 + skew, 10_050)).toBe('on time')
    }
  })

  it('does not count how long a message waited for this process', () => {
    const lag = new Lag()
    const delay = new OwnDelay()
    expect(lag.judge(0, 50)).toBe('on time')
    expect(lag.judge(100, 150)).toBe('on time')
    delay.expect(1000)
    expect(delay.at(900)).toBe(0)
    // The timer is overdue: messages are read, but not yet the timer.
    expect(delay.at(3000)).toBe(2000)
    expect(lag.judge(900, 3000, delay.at(3000))).toBe('on time')
    delay.record(3100)
    delay.expect(3300)
    delay.record(3300)
    expect(delay.at(3400)).toBe(2100)
    expect(delay.at(4200)).toBe(0)
    expect(lag.judge(3100, 4200, delay.at(4200))).toBe('late')
  })

  /** Verdicts of a tick a second whose instant is off by `offset(t)`. */
  const verdicts = (untilMs: number, offset: (t: number) => number) => {
    const lag = new Lag()
    return Array.from({ length: untilMs / 1000 }, (_, i) => lag.judge(i * 1000 + offset(i * 1000), i * 1000))
  }

  it('follows a clock that was set back a little, within two minutes', () => {
    const found = verdicts(200_000, (t) => (t < 50_000 ? 0 : -3000))
    expect(found.slice(50, 100)).not.toContain('on time')
    expect(found.slice(170)).not.toContain('late')
  })

  it.each([3_600_000, -3_600_000])('follows a clock that was set by %d ms after a minute, and back', (ms) => {
    const found = verdicts(200_000, (t) => (t >= 50_000 && t < 120_000 ? ms : 0))
    expect(found.slice(0, 50)).not.toContain('wrong')
    expect(found.slice(50, 110)).not.toContain('on time')
    expect(found.slice(112, 120)).not.toContain('wrong')
    expect(found.slice(182)).not.toContain('wrong')
    expect(found.slice(182)).not.toContain('late')
  })

  it('learns nothing from instants in the future, nor from some that are a little ahead', () => {
    for (const from of [0, 20_000])
      for (const ms of [600, 4000, 3_600_000, 1.7e15]) {
        const found = verdicts(60_000, (t) => (t >= from && t <= from + 3000 ? ms : 0))
        expect(found.filter((verdict) => verdict === 'late')).toEqual([])
        expect(found.filter((verdict) => verdict === 'wrong')).toHaveLength(ms > 5000 ? 4 : 0)
      }
  })

  it('follows no instants in another unit, and none that differ from one to the next', () => {
    expect(new Set(verdicts(300_000, () => 1.7e15))).toEqual(new Set(['wrong']))
    expect(new Set(verdicts(300_000, (t) => 100_000 + t * 7))).toEqual(new Set(['wrong']))
  })
})
