import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { childMessage } from '../childMessage.ts'
import type { FromReceivers, ToReceivers } from '../fanout/messages.ts'
import type { Followed } from './follower.ts'
import type { Delays, FromObserver, ToObserver } from './messages.ts'

/** The process that sees commits and what edges show of them (`observer.ts`). */
export type Observer = {
  /** PostgreSQL's address through the observer. */
  through(databaseUrl: string): string
  watch(venue: Followed, urls: readonly string[], product: string): Promise<void>
  begin(): void
  /** @returns of each commit since `begin` */
  end(): Promise<Delays>
  /** Ends its own use of the database, before that is dropped. */
  unwatch(): Promise<void>
  close(): Promise<void>
}

/** Many sockets of one node, in a process of their own (`fanout/receivers.ts`). */
export type Receivers = {
  begin(): void
  /** @returns frames of ticks a second since `begin`, over all sockets */
  end(): Promise<number>
  close(): Promise<void>
}

export async function openObserver(postgresUrl: string): Promise<Observer> {
  const child = forkScript(join(import.meta.dirname, 'observer.ts'), [postgresUrl])
  const send = (message: ToObserver): void => void child.send(message)
  const { port } = await childMessage<FromObserver, 'listening'>(child, 'listening')
  return {
    through: (databaseUrl) =>
      Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    watch: async (venue, urls, product) => {
      const watching = childMessage<FromObserver, 'watching'>(child, 'watching')
      send({ kind: 'watch', venue, urls, product })
      await watching
    },
    begin: () => send({ kind: 'begin' }),
    end: async () => {
      const measured = childMessage<FromObserver, 'measured'>(child, 'measured')
      send({ kind: 'end' })
      const { appliedMs, receivedMs } = await measured
      if (appliedMs.length === 0 || receivedMs.length === 0)
        throw new Error('the observer saw no commit that a follower applied and an edge sent')
      return { appliedMs, receivedMs }
    },
    unwatch: async () => {
      const unwatched = childMessage<FromObserver, 'unwatched'>(child, 'unwatched')
      send({ kind: 'unwatch' })
      await unwatched
    },
    close: () => end(child),
  }
}

/** @returns once every socket is subscribed to the products */
export async function openReceivers(
  url: string,
  count: number,
  products: readonly string[],
): Promise<Receivers> {
  const child = forkScript(join(import.meta.dirname, '../fanout/receivers.ts'), [
    'venue',
    new URL(url).port,
    String(count),
    JSON.stringify(products),
  ])
  const command = (message: ToReceivers): void => void child.send(message)
  await childMessage<FromReceivers, 'ready'>(child, 'ready')
  return {
    begin: () => command('begin'),
    end: async () => {
      const measured = childMessage<FromReceivers, 'measured'>(child, 'measured')
      command('end')
      return (await measured).perSecond
    },
    close: () => end(child),
  }
}

const forkScript = (script: string, args: string[]): ChildProcess =>
  fork(script, args, { execArgv: ['--import', 'tsx'] })

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill()
  await exited
}
