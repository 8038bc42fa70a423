import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { MessageChannel } from 'node:worker_threads'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDatabase, embeddedPoolConfig, openPool } from '../../../../server/platform/db/database.ts'
import {
  EmbeddedSessions,
  simpleQuery,
  type Priority,
} from '../../../../server/platform/db/embeddedSession.ts'
import type { EmbeddedEngine } from '../../../../server/platform/db/embeddedEngine.ts'
import { isSerializationFailure } from '../../../../server/platform/db/errors.ts'
import { openEngineWithTables } from '../../../../server/platform/db/memory.ts'
import { PortStream, servePort } from '../../../../server/platform/db/portStream.ts'

const preemptAfterMs = 1

let engine: EmbeddedEngine
let sessions: EmbeddedSessions
let clients: Client[] = []

beforeAll(async () => {
  engine = await openEngineWithTables()
  sessions = new EmbeddedSessions(engine, preemptAfterMs)
})
afterAll(() => {
  sessions.close()
  return engine.pglite.close()
})
beforeEach(async () => {
  const client = await connect()
  await client.query('DROP TABLE IF EXISTS note; CREATE TABLE note (text text PRIMARY KEY)')
})
afterEach(async () => {
  vi.useRealTimers()
  for (const client of clients) await client.end()
  clients = []
})

async function connect(priority: Priority = 'normal'): Promise<Client> {
  const stream = (): PortStream => {
    const { port1, port2 } = new MessageChannel()
    servePort(sessions, { port: port2, priority, role: null })
    return new PortStream(port1)
  }
  const client = new Client(embeddedPoolConfig(stream))
  await client.connect()
  clients.push(client)
  return client
}

const noAddress = (): never => {
  throw new Error('not shared')
}

const notes = async (client: Client): Promise<string[]> =>
  (await client.query<{ text: string }>('SELECT text FROM note ORDER BY text')).rows.map((row) => row.text)

it('the engine keeps nothing of what it has answered', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const query = simpleQuery('SELECT 1')
  const heapAfter = (times: number): number => {
    for (let n = 0; n < times; n++) engine.exec(query)
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = heapAfter(1000)
  expect(heapAfter(10_000) - before).toBeLessThan(1_000_000)
})

describe('connections of the embedded database', () => {
  it('get their own answers to concurrent queries', async () => {
    const [a, b] = [await connect(), await connect('high')]
    const askInTurn = async (client: Client, from: number): Promise<number[]> => {
      const answers: number[] = []
      for (let n = from; n < from + 50; n++)
        answers.push((await client.query<{ n: number }>('SELECT $1::int AS n', [n])).rows[0]?.n ?? NaN)
      return answers
    }
    const answers = await Promise.all([askInTurn(a, 0), askInTurn(b, 50)])
    expect(answers.flat()).toEqual(Array.from({ length: 100 }, (_, n) => n))
  })

  it('do not see an uncommitted transaction, and wait for its end', async () => {
    const [a, b] = [await connect('high'), await connect()]
    await a.query('BEGIN')
    await a.query("INSERT INTO note VALUES ('mine')")
    const seen = notes(b)
    await a.query('ROLLBACK')
    expect(await seen).toEqual([])
  })

  it('keep their prepared statements when another one ends', async () => {
    const [a, b] = [await connect(), await connect()]
    const one = { name: 'one', text: 'SELECT 1 AS n' }
    await a.query(one)
    await b.query({ name: 'two', text: 'SELECT 2 AS n' })
    clients = clients.filter((client) => client !== b)
    await b.end()
    expect((await a.query(one)).rows).toEqual([{ n: 1 }])
    const c = await connect()
    expect((await c.query({ name: 'two', text: 'SELECT 3 AS n' })).rows).toEqual([{ n: 3 }])
  })
})

describe('an idle transaction of normal priority', () => {
  it('is cancelled for one of high priority, and its client gets an error to run it again', async () => {
    const [slow, fast] = [await connect(), await connect('high')]
    await slow.query('BEGIN')
    await slow.query("INSERT INTO note VALUES ('slow')")
    await fast.query("INSERT INTO note VALUES ('fast')")
    const failure = await slow.query("INSERT INTO note VALUES ('more')").catch((error: unknown) => error)
    expect(isSerializationFailure(failure)).toBe(true)
    await expect(slow.query('SELECT 1')).rejects.toThrow('current transaction is aborted')
    await slow.query('ROLLBACK')
    await slow.query("INSERT INTO note VALUES ('again')")
    expect(await notes(slow)).toEqual(['again', 'fast'])
  })

  it('commits nothing if its next statement after the cancellation is COMMIT', async () => {
    const [slow, fast] = [await connect(), await connect('high')]
    await slow.query('BEGIN')
    await slow.query("INSERT INTO note VALUES ('slow')")
    await fast.query('SELECT 1')
    const failure = await slow.query('COMMIT').catch((error: unknown) => error)
    expect(isSerializationFailure(failure)).toBe(true)
    await slow.query('ROLLBACK')
    expect(await notes(slow)).toEqual([])
  })

  it('can be rolled back by its client after the cancellation', async () => {
    const [slow, fast] = [await connect(), await connect('high')]
    await slow.query('BEGIN')
    await slow.query("INSERT INTO note VALUES ('slow')")
    await fast.query('SELECT 1')
    await slow.query('rollback')
    await slow.query('BEGIN')
    await slow.query("INSERT INTO note VALUES ('again')")
    await slow.query('COMMIT')
    expect(await notes(fast)).toEqual(['again'])
  })

  it('rethrows the error of its work, and the pool works afterwards', async () => {
    const connection = (): PortStream => {
      const { port1, port2 } = new MessageChannel()
      servePort(sessions, { port: port2, priority: 'normal', role: null })
      return new PortStream(port1)
    }
    const pool = openPool(embeddedPoolConfig(connection), () => undefined)
    const { db } = createDatabase(pool, noAddress, async () => undefined)
    const fast = await connect('high')
    const workError = new Error('rejected')
    const failed = db.transaction(async (tx) => {
      await tx.execute(sql`INSERT INTO note VALUES ('slow')`)
      await fast.query('SELECT 1')
      throw workError
    })
    await expect(failed).rejects.toBe(workError)
    const lost = db.transaction(async (tx) => {
      await tx.execute(sql`INSERT INTO note VALUES ('slow')`)
      await fast.query('SELECT 1')
      await tx.execute(sql`INSERT INTO note VALUES ('more')`)
    })
    expect(await lost.catch(isSerializationFailure)).toBe(true)
    await db.transaction((tx) => tx.execute(sql`INSERT INTO note VALUES ('next')`))
    expect(await notes(fast)).toEqual(['next'])
    await pool.end()
  })

  it('is not cancelled while no session of high priority waits', async () => {
    const [slow, other] = [await connect(), await connect()]
    await slow.query('BEGIN')
    await slow.query("INSERT INTO note VALUES ('slow')")
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const waiting = notes(other)
    await slow.query('SELECT 1')
    vi.advanceTimersByTime(100 * preemptAfterMs)
    await slow.query('COMMIT')
    expect(await waiting).toEqual(['slow'])
  })

  it('is never cancelled if it has high priority', async () => {
    const [a, b] = [await connect('high'), await connect('high')]
    await a.query('BEGIN')
    await a.query("INSERT INTO note VALUES ('a')")
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const waiting = notes(b)
    await a.query('SELECT 1')
    vi.advanceTimersByTime(100 * preemptAfterMs)
    await a.query('COMMIT')
    expect(await waiting).toEqual(['a'])
  })
})
