import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { childMessage } from '../childMessage.ts'
import type { FromReceivers, ToReceivers } from '../fanout/messages.ts'
import { natsServer } from '../../support/nats.ts'
import type { Followed } from './follower.ts'
import {
  delaysFrom,
  type Arrival,
  type Delays,
  type FromObserver,
  type FromReceiver,
  type ToObserver,
  type ToReceiver,
} from './messages.ts'

/** The processes that see commits, and what edges have of them (`observer.ts`, `followerProcess.ts`, `bare.ts`). */
export type Observer = {
  /** PostgreSQL's address through the observer. */
  through(databaseUrl: string): string
  watch(venue: Followed, urls: readonly string[], product: string): Promise<void>
  /** @param isBare whether as many bytes go between the processes without work too, which are a load beside the others */
  begin(isBare?: boolean): void
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
  const observer = forkScript(script('observer'), [postgresUrl])
  const { port } = await childMessage<FromObserver, 'listening'>(observer, 'listening')
  const send = (message: ToObserver): void => void observer.send(message)
  const subject = `uptick-bench.${process.pid}`
  const bareSender = forkScript(script('bare'), ['sender', subject, natsServer()])
  const { port: barePort } = await childMessage<{ kind: 'listening'; port: number }, 'listening'>(
    bareSender,
    'listening',
  )
  const bareReceiver = openReceiver(script('bare'), ['receiver', subject, natsServer()])
  await bareReceiver.following()
  const follower = openReceiver(script('followerProcess'), [])
  return {
    through: (databaseUrl) =>
      Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    watch: async (venue, urls, product) => {
      const following = follower.following()
      follower.send({ kind: 'follow', venue })
      await following
      const watching = childMessage<FromObserver, 'watching'>(observer, 'watching')
      send({ kind: 'watch', urls, product, barePort })
      await watching
    },
    begin: (isBare = false) => {
      for (const { send: sendTo } of [follower, bareReceiver]) sendTo({ kind: 'begin' })
      send({ kind: 'begin', isBare })
    },
    end: async () => {
      const measured = childMessage<FromObserver, 'measured'>(observer, 'measured')
      send({ kind: 'end' })
      const { committed, received } = (await measured).seen
      const [applied, bare] = await Promise.all([follower.arrivals(), bareReceiver.arrivals()])
      if (applied.length === 0 || received.length === 0)
        throw new Error('no commit was seen that the follower applied and an edge sent')
      const from = (arrivals: readonly Arrival[]): number[] => delaysFrom(committed, arrivals)
      return { appliedMs: from(applied), receivedMs: from(received), bareMs: from(bare) }
    },
    unwatch: async () => {
      const left = childMessage<FromReceiver, 'left'>(follower.child, 'left')
      follower.send({ kind: 'leave' })
      await left
    },
    close: async () => {
      await Promise.all([observer, bareSender, bareReceiver.child, follower.child].map(end))
    },
  }
}

function openReceiver(file: string, args: string[]) {
  const child = forkScript(file, args)
  const send = (message: ToReceiver): void => void child.send(message)
  return {
    child,
    send,
    /** Resolves once it receives. */
    following: () => childMessage<FromReceiver, 'following'>(child, 'following'),
    arrivals: async (): Promise<Arrival[]> => {
      const measured = childMessage<FromReceiver, 'measured'>(child, 'measured')
      send({ kind: 'end' })
      return (await measured).arrivals
    },
  }
}

const script = (name: string): string => join(import.meta.dirname, `${name}.ts`)

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
